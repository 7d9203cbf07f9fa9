"""Django's PostgreSQL backend on the embedded server, which it starts when first needed."""

from pathlib import Path
from typing import Any

from django.db.backends.postgresql import base

from .server import EmbeddedServer


class DatabaseWrapper(base.DatabaseWrapper):
    """Every new connection makes sure that the server runs: the first one, and one after a kill."""

    @property
    def server(self) -> EmbeddedServer:
        return EmbeddedServer.at(Path(self.settings_dict["EMBEDDED_DIR"]))

    def get_connection_params(self) -> dict[str, Any]:
        return super().get_connection_params() | {"host": str(self.server.socket_dir)}

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        self.server.ensure_running()
        return super().get_new_connection(conn_params)
