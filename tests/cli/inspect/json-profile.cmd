inspect json/1/nested.json --regions-only
