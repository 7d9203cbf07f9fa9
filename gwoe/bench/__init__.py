"""What the citation engine can do, in figures: `manage.py bench_citations`."""
