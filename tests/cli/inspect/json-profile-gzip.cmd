inspect json/1/nested.json.gz --regions-only
