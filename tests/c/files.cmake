# One test program each.
set(SP_TESTS
  tests/c/test_args.c
  tests/c/test_chunk.c
  tests/c/test_inspect_json.c
  tests/c/test_inspect_memory.c
  tests/c/test_json_profile.c
  tests/c/test_metadata.c
  tests/c/test_native_trace.c
  tests/c/test_num.c
  tests/c/test_pattern.c
  tests/c/test_privacy.c
  tests/c/test_request.c
  tests/c/test_select.c
  tests/c/test_sniff.c
  tests/c/test_stats_quantile.c
  tests/c/test_stats_random.c
  tests/c/test_stats_rows.c
  tests/c/test_stats_tree.c
  tests/c/test_table.c
  tests/c/test_utf8.c
  tests/c/test_warning.c
)

# What test programs share.
set(SP_TEST_SUPPORT
  tests/lib/fake_profile.c
  tests/lib/stats_fixture.c
)
