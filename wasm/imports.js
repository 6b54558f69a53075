// Names that the WebAssembly modules take from JavaScript, for the linker: without this list an
// unknown name would have to be tolerated for every C function. The functions themselves are in
// packages/core/src/load.js (core.wasm) and packages/cli/src/host.js (cli.wasm); the modules are
// linked without Emscripten's JavaScript (`-o core.wasm`), so nothing of this file is shipped.
const names = [
  'sp_source_read', 'sp_progress', 'sp_reply_part', // core.wasm (bridge.c)
  'sp_js_look', 'sp_js_open', 'sp_js_read', 'sp_js_unchanged', 'sp_js_close', 'sp_js_list', // cli.wasm
  'sp_js_next', 'sp_js_print', 'sp_js_closed', 'sp_js_save', 'sp_js_same_file', // (host_js.c)
  'sp_js_is_terminal', 'sp_js_columns', 'sp_js_variable', 'sp_js_folder', 'sp_js_working_on',
  'sp_js_fatal',
];
for (const name of names) LibraryManager.library[name] = function () {};
