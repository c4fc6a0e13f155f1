"""Why a line follows: forward, loss, backward and update as claims with their values."""
