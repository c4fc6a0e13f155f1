"""What all tests share: how hypothesis runs."""

from __future__ import annotations

import os

from hypothesis import settings

# A busy machine is not a fault, hence no deadline; a run that gates a change must repeat, hence no new examples there.
settings.register_profile("symtrans", deadline=None, derandomize=bool(os.environ.get("CI")), print_blob=True)
settings.load_profile("symtrans")
