"""Demo material: invented parliaments, parties and motions, and a model that answers from files."""
