"""The replay file `*.fairdeal`: one race, whole, in a form that anybody can verify without a server."""
