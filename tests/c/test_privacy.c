/* test_privacy.c - what leaves at each level: keys, texts, source files, and the list of places. */
#include "fake_profile.h"
#include "lib/check.h"
#include "profile/privacy.h"

static void put(sp_profile *p, const char *key, const char *value) {
  sp_value v = {.kind = SP_VALUE_TEXT, .text = sp_str_of(value)};
  CHECK(sp_metadata_put(&p->metadata, &p->arena, sp_str_of(key), v));
}

/* A run of user ada on node01 to node12, in her home. */
static sp_profile *ada(void) {
  sp_profile *p = fake_profile("rank 0: solve 0 9; io 10 12\nrank 1: solve 0 9");
  put(p, "user", "ada");
  put(p, "hostname", "node07.cluster.org");
  put(p, "SLURM_JOB_NODELIST", "node[01-04,7],r[1-2]c[08-09]x,login3");
  put(p, "SLURM_JOB_ACCOUNT", "proj-1234");
  put(p, "SLURM_SUBMIT_HOST", "gate");
  put(p, "uname", "Linux kern5 5.14.0 #1 SMP x86_64");
  put(p, "working_directory", "/data/users/ada/run/");
  put(p, "PATH", "/opt/x/bin:/scratch/ada/bin:/usr/bin");
  return p;
}

typedef bool (*clean_fn)(const sp_cleaner *c, sp_str text, sp_buf *out);

static const char *cleaned_by(clean_fn clean, sp_privacy level, const char *text) {
  static sp_buf b;
  sp_profile *p = ada();
  sp_arena a = {0};
  sp_cleaner *c;
  CHECK_STATUS(sp_cleaner_make(p, level, &a, &c, NULL), SP_OK);
  sp_buf_clear(&b);
  bool changed = clean(c, sp_str_of(text), &b);
  sp_buf_char(&b, '\0');
  CHECK(changed == (strcmp(b.data, text) != 0));
  sp_arena_free(&a);
  fake_free(p);
  return b.data;
}
#define PUBLIC(text) cleaned_by(sp_clean_text, SP_PRIVACY_PUBLIC, text)
#define TEAM(text) cleaned_by(sp_clean_text, SP_PRIVACY_TEAM, text)
#define FULL(text) cleaned_by(sp_clean_text, SP_PRIVACY_FULL, text)
#define PUBLIC_FILE(text) cleaned_by(sp_clean_source_path, SP_PRIVACY_PUBLIC, text)
#define TEAM_FILE(text) cleaned_by(sp_clean_source_path, SP_PRIVACY_TEAM, text)
#define PUBLIC_JSON(text) cleaned_by(sp_clean_json, SP_PRIVACY_PUBLIC, text)

static void levels_have_names(void) {
  sp_privacy level;
  CHECK(sp_privacy_parse("team", &level) && level == SP_PRIVACY_TEAM);
  CHECK(!sp_privacy_parse("Team", &level));
  CHECK(!sp_privacy_parse("", &level));
  CHECK_STR(sp_privacy_name(SP_PRIVACY_PUBLIC), "public");
  CHECK_STR(sp_privacy_name(SP_PRIVACY_FULL), "full");
}

/* "drop keep": the fates at public and team. */
static const char *fates(const char *key) {
  static const char *const names[] = {"keep", "clean", "drop"};
  static char text[16];
  sp_str k = sp_str_of(key);
  CHECK_INT(sp_privacy_of_key(k, SP_PRIVACY_FULL), SP_KEEP);
  snprintf(text, sizeof text, "%s %s", names[sp_privacy_of_key(k, SP_PRIVACY_PUBLIC)],
           names[sp_privacy_of_key(k, SP_PRIVACY_TEAM)]);
  return text;
}

static void every_key_has_its_fate(void) {
  CHECK_STR(fates("mpi_size"), "keep keep");
  CHECK_STR(fates("label"), "clean clean");
  CHECK_STR(fates("SLURM_NTASKS"), "keep keep");
  CHECK_STR(fates("SLURM_NTASKS_PER_CORE"), "drop keep");
  CHECK_STR(fates("user"), "drop drop");
  CHECK_STR(fates("SLURM_LAUNCH_NODE_IPADDR"), "drop drop");
  CHECK_STR(fates("SLURM_SRUN_COMM_PORT"), "drop drop");
  CHECK_STR(fates("SLURM_STEP_RESV_PORTS"), "drop drop");
  CHECK_STR(fates("SLURM_TOPOLOGY_ADDR_PATTERN"), "drop drop");
  CHECK_STR(fates("hostname"), "drop keep");
  CHECK_STR(fates("SLURM_JOB_NAME"), "drop keep");
  CHECK_STR(fates("SLURMD_DEBUG"), "drop keep");
  CHECK_STR(fates("modules"), "drop clean");
  CHECK_STR(fates("SLURM_SUBMIT_DIR"), "drop clean");
  CHECK_STR(fates("PYTHON_HOME"), "drop clean");
  CHECK_STR(fates("anything else"), "drop clean");
  CHECK_STR(fates(""), "drop clean");
}

static void secrets_are_dropped_in_any_case(void) {
  CHECK_STR(fates("GITHUB_TOKEN"), "drop drop");
  CHECK_STR(fates("db_Password"), "drop drop");
  CHECK_STR(fates("OPENAI_API_KEY"), "drop drop");
  CHECK_STR(fates("SLURM_auth_info"), "drop drop");
}

static void identity_values_are_replaced_as_whole_words(void) {
  CHECK_STR(PUBLIC("run by ada."), "run by [user].");
  CHECK_STR(PUBLIC("adamant, _ada, ada1"), "adamant, _ada, ada1");
  CHECK_STR(PUBLIC("proj-1234/ada"), "[account]/[user]");
  CHECK_STR(PUBLIC("node07.cluster.org and node07"), "[host] and [host]");
  CHECK_STR(PUBLIC("from gate on kern5"), "from [host] on [host]");
  CHECK_STR(TEAM("ada on node07 of proj-1234"), "[user] on node07 of [account]");
  CHECK_STR(FULL("ada on node07, /a/b, 10.1.2.3"), "ada on node07, /a/b, 10.1.2.3");
}

static void node_lists_are_expanded(void) {
  CHECK_STR(PUBLIC("node01 node03 node04 node7"), "[host] [host] [host] [host]");
  CHECK_STR(PUBLIC("node1 node05 node[01-04]"), "node1 node05 node[01-04]");
  CHECK_STR(PUBLIC("r1c08x r2c09x r3c08x login3"), "[host] [host] r3c08x [host]");
}

static void paths_are_cut_to_their_last_part(void) {
  CHECK_STR(PUBLIC("see /opt/tool/bin/x now"), "see x now");
  CHECK_STR(PUBLIC("a=/a/b:/c/d,/e/f/"), "a=b:d,f");
  CHECK_STR(PUBLIC("\"/my files/a b/c\" x"), "\"c\" x");
  CHECK_STR(PUBLIC("~/x/y ~bob/z C:\\Users\\bob\\w \\\\srv\\share\\v"), "y z w v");
  CHECK_STR(PUBLIC("-I/usr/include/mpi"), "-Impi");
  CHECK_STR(PUBLIC("file:///tmp/a/b"), "file://b");
  CHECK_STR(PUBLIC("/home/bob"), "~");
  CHECK_STR(PUBLIC("/data/users/ada/run/log"), "log");
  CHECK_STR(PUBLIC("/x/y/ada"), "[user]");
}

static void what_is_no_absolute_path_stays(void) {
  CHECK_STR(PUBLIC("/tmp and a/b/c ./x/y ../x/y 1/2/3 m/s"),
            "/tmp and a/b/c ./x/y ../x/y 1/2/3 m/s");
  CHECK_STR(PUBLIC("https://example.org/a/b"), "https://example.org/a/b");
  CHECK_STR(PUBLIC("~5/3 ${HOME}/x/y"), "~5/3 ${HOME}/x/y");
  CHECK_STR(PUBLIC("std::vector<a::b> // note"), "std::vector<a::b> // note");
}

static void a_home_directory_becomes_a_tilde_for_the_team(void) {
  CHECK_STR(TEAM("/home/bob/x:/Users/eve/y:/ro"
                 "ot/z:/opt/w/v"),
            "~/x:~/y:~/z:/opt/w/v");
  CHECK_STR(TEAM("/data/users/ada/run"), "~/run");
  CHECK_STR(TEAM("/scratch/ada/bin"), "~/bin");
  CHECK_STR(TEAM("/data/users/adam/run"), "/data/users/adam/run");
  CHECK_STR(TEAM("/wk/ada/x"), "/wk/[user]/x");
  CHECK_STR(TEAM("~/x ~bob/y"), "~/x ~/y");
  CHECK_STR(TEAM("C:\\Users\\bob\\w"), "~\\w");
}

static void addresses_are_replaced(void) {
  CHECK_STR(PUBLIC("at 10.1.2.3:8080, 255.255.255.255"), "at [ip]:8080, [ip]");
  CHECK_STR(PUBLIC("1.2.3 1.2.3.4.5 256.1.1.1 v1.2.3.4"), "1.2.3 1.2.3.4.5 256.1.1.1 v1.2.3.4");
  CHECK_STR(PUBLIC("fe80::1 [2001:db8::8a2e:370:7334]:80 ::1"), "[ip] [[ip]]:80 [ip]");
  CHECK_STR(PUBLIC("::ffff:10.1.2.3 1:2:3:4:5:6:7:8"), "[ip] [ip]");
  CHECK_STR(PUBLIC("12:34:56 std::a1 :: a::b 1:2:3:4:5:6:7:8:9"),
            "12:34:56 std::a1 :: a::b 1:2:3:4:5:6:7:8:9");
  CHECK_STR(TEAM("10.1.2.3"), "[ip]");
  CHECK_STR(PUBLIC("Ada <ada.l+x@mail.example.org>."), "Ada <[email]>.");
  CHECK_STR(PUBLIC("a@b pkg@1.2.3 @x.org a@x.o a@.org"), "a@b pkg@1.2.3 @x.org a@x.o a@.org");
  CHECK_STR(PUBLIC("to bob@x.org."), "to [email].");
}

static void source_files_stand_relative_to_the_working_directory(void) {
  CHECK_STR(PUBLIC_FILE("solver/a.py"), "solver/a.py");
  CHECK_STR(PUBLIC_FILE("/data/users/ada/run/solver/a.py"), "solver/a.py");
  CHECK_STR(PUBLIC_FILE("/data/users/ada/runner/a.py"), "a.py");
  CHECK_STR(PUBLIC_FILE("/data/users/ada/run/../a.py"), "a.py");
  CHECK_STR(PUBLIC_FILE("../ada/a.py"), "a.py");
  CHECK_STR(PUBLIC_FILE("/usr/my lib/a b.py"), "a b.py");
  CHECK_STR(PUBLIC_FILE("C:\\x\\a.py"), "a.py");
  CHECK_STR(PUBLIC_FILE("<string>"), "<string>");
  CHECK_STR(PUBLIC_FILE("/a/b/"), "");
  CHECK_STR(PUBLIC_FILE(""), "");
  CHECK_STR(TEAM_FILE("/data/users/ada/run/a.py"), "a.py");
  CHECK_STR(TEAM_FILE("/home/bob/my lib/a.py"), "~/my lib/a.py");
  CHECK_STR(TEAM_FILE("/opt/lib/a.py"), "/opt/lib/a.py");
  CHECK_STR(cleaned_by(sp_clean_source_path, SP_PRIVACY_FULL, "/home/bob/a.py"), "/home/bob/a.py");
}

static void json_is_cleaned_as_it_reads(void) {
  CHECK_STR(PUBLIC_JSON("{\"n\": 1, \"f\": \"\\/home\\/bob\\/x\\/y\"}"),
            "{\"n\": 1, \"f\": \"y\"}");
  CHECK_STR(PUBLIC_JSON("[\"\\u0061da\", \"\\ud83d\\ude00\", \"a\\\"b\"]"),
            "[\"[user]\", \"\\ud83d\\ude00\", \"a\\\"b\"]");
  CHECK_STR(PUBLIC_JSON("{\"C:\\\\Users\\\\bob\\\\w\": \"x\\ty ada \\\"\"}"),
            "{\"w\": \"x\\u0009y [user] \\\"\"}");
  CHECK_STR(PUBLIC_JSON("\"ada"), "\"[user]");
  CHECK_STR(PUBLIC_JSON("\"ada\\"), "\"[user]\\\\");
  CHECK_STR(PUBLIC_JSON("ada"), "ada");
}

static void a_profile_is_named_by_its_file_at_public(void) {
  sp_str path = SP_STR("/a/b/run.h5");
  CHECK_STR(sp_clean_profile_path(path, SP_PRIVACY_PUBLIC).p, "run.h5");
  CHECK_STR(sp_clean_profile_path(path, SP_PRIVACY_TEAM).p, "/a/b/run.h5");
  CHECK_STR(sp_clean_profile_path(SP_STR("run.h5"), SP_PRIVACY_PUBLIC).p, "run.h5");
}

static void claims_of_endless_node_lists_end(void) {
  sp_profile *p = fake_profile("rank 0: a 0 1");
  put(p, "SLURM_NODELIST", "n[0-999999999999999999],n[0-999999999999999999]x[0-99999999]");
  sp_arena a = {0};
  sp_cleaner *c;
  sp_buf b = {0};
  CHECK_STATUS(sp_cleaner_make(p, SP_PRIVACY_PUBLIC, &a, &c, NULL), SP_OK);
  CHECK(sp_clean_text(c, SP_STR("n100"), &b));
  sp_buf_free(&b);
  sp_arena_free(&a);
  fake_free(p);
}

static void note_place(void *context, const sp_private_place *place) {
  static const char marks[] = "=~-";
  sp_buf *b = context;
  sp_buf_char(b, marks[place->fate]);
  sp_buf_str(b, place->place);
  sp_buf_char(b, '\n');
  CHECK(place->is_metadata == (strncmp(place->place.p, "metadata/", 9) == 0));
}

static void private_places_are_told_once(void) {
  static const sp_str tags[] = {{"fast", 4}, {"for ada", 7}};
  static const sp_str calls[] = {{"{\"f\": \"/x/y/z\"}", 15}};
  sp_profile *p = fake_profile("rank 0: solve 0 9; 10.1.2.3 1 2\nrank 1: solve 0 9");
  put(p, "user", "ada");
  put(p, "label", "plain");
  put(p, "platform", "ada's");
  put(p, "mpi_size", "2");
  for (uint32_t rank = 0; rank < 2; rank++) {
    sp_row *row = fake_find(p, rank, "solve");
    row->source_file = SP_STR("/home/ada/a.py");
    row->tags = tags;
    row->tag_count = 2;
    row->event_metadata = calls;
    row->event_metadata_count = 1;
  }
  sp_thread thread = {.name = SP_STR("ada-1")};
  p->ranks[1].threads = &thread;
  p->ranks[1].thread_count = 1;
  sp_buf b = {0};
  CHECK_STATUS(sp_private_places(p, SP_PRIVACY_FULL, note_place, &b, NULL), SP_OK);
  CHECK_INT(b.length, 0);
  CHECK_STATUS(sp_private_places(p, SP_PRIVACY_PUBLIC, note_place, &b, NULL), SP_OK);
  sp_buf_char(&b, '\0');
  CHECK_STR(b.data,
            "~metadata/platform\n-metadata/user\n=regions/10.1.2.3/name\n"
            "~regions/solve/source_file\n~regions/solve/tags\n~regions/solve/event_metadata\n"
            "~ranks/1/threads/0/name\n");
  sp_buf_free(&b);
  fake_free(p);
}

int main(void) {
  RUN(levels_have_names);
  RUN(every_key_has_its_fate);
  RUN(secrets_are_dropped_in_any_case);
  RUN(identity_values_are_replaced_as_whole_words);
  RUN(node_lists_are_expanded);
  RUN(paths_are_cut_to_their_last_part);
  RUN(what_is_no_absolute_path_stays);
  RUN(a_home_directory_becomes_a_tilde_for_the_team);
  RUN(addresses_are_replaced);
  RUN(source_files_stand_relative_to_the_working_directory);
  RUN(json_is_cleaned_as_it_reads);
  RUN(a_profile_is_named_by_its_file_at_public);
  RUN(claims_of_endless_node_lists_end);
  RUN(private_places_are_told_once);
  return CHECK_DONE();
}
