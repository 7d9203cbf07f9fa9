"""Where the database is: DATABASE_URL, or the embedded server (docs/adr/0008)."""

from pathlib import Path
from typing import Any

import environ

# What a step of a statement may keep in memory: in 4 MB, what is given by default, the search of
# programme/retrieval.py writes to the disk. The planner may think the same search costly
# enough to compile it first, which a search of a tenth of a second does not need (docs/adr/0031).
PARAMETERS = "-c work_mem=16MB -c jit=off"


def database_from(env: environ.Env, var_dir: Path) -> dict[str, Any]:
    """The DATABASES entry; without DATABASE_URL the embedded server under `var_dir`."""
    if env.str("DATABASE_URL", default=""):
        database = env.db("DATABASE_URL")
    else:
        database = {
            "ENGINE": "gwoe.postgres",
            "NAME": "gwoe",
            "USER": "gwoe",
            "EMBEDDED_DIR": str(var_dir / "postgres"),
        }
    database["CONN_HEALTH_CHECKS"] = True
    options = database.setdefault("OPTIONS", {})
    options["options"] = f"{options.get('options', '')} {PARAMETERS}".strip()
    # Two test runs at once need two databases.
    database["TEST"] = {"NAME": f"test_gwoe{env.str('TEST_DB_SUFFIX', default='')}"}
    return database
