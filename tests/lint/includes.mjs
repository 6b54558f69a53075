// Who may include whom: the table of src/README.md, and the functions nobody calls.
import { files, read, report } from './files.mjs';

const rooms = {
  base: [],
  profile: ['base'],
  read: ['base', 'profile'],
  stats: ['base', 'profile'],
  views: ['base', 'profile', 'stats'],
  write: ['base', 'profile', 'stats', 'views'],
  api: ['base', 'profile', 'read', 'stats', 'views', 'write'],
  cli: ['base', 'profile', 'read', 'stats', 'views', 'write', 'api'],
};
// Third-party headers and the only files that may see them.
const outside = [
  [/^(hdf5|H5[A-Za-z]+|h5slim)\.h$/, /^(src\/read\/h5_\w+\.[ch]|src\/cli\/main\.c|src\/api\/ops\.c)$/],
  [/^cJSON\.h$/, /^src\/(read\/json_\w+|api\/\w+)\.[ch]$/],
  [/^pcre2\.h$/, /^src\/base\/pattern\.c$/],
  [/^(libdeflate|zstd|lzf)\.h$/, /^src\/read\/(chunk|gzip|h5_filters)\.c$/],
  [/^emscripten\.h$/, /^wasm\//],
];
const memory = /(?<![\w.>])(malloc|calloc|realloc|free)\s*\(/;
const banned = /(?<![\w.>])(sprintf|vsprintf|strcpy|strcat|strtok|gets|atoi|atol|atof|alloca|scanf|sscanf)\s*\(/;

/** C without comments and texts, line numbers kept. */
function bare(text) {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"/g, (part) =>
    part.startsWith('"') ? '""' : part.replace(/[^\n]/g, ' '),
  );
}

const faults = [];
const inOurs = (path) => /^(src|wasm)\/.*\.[ch]$/.test(path);
for (const path of files(inOurs)) {
  const room = path.startsWith('src/') ? path.split('/')[1] : 'cli';
  const text = read(path);
  for (const [index, line] of text.split('\n').entries()) {
    const include = /^#\s*include\s+(?:"([^"]+)"|<([^>]+)>)/.exec(line);
    if (!include) continue;
    const name = include[1] ?? include[2];
    const target = name.split('/')[0];
    const place = `${path}:${index + 1}`;
    if (include[1] && target in rooms && target !== room && !rooms[room].includes(target))
      faults.push(`${place}: ${room} may not include ${target} (${name})`);
    if (include[1] && !name.includes('/') && !/\.inc$|^files|char_widths/.test(name))
      faults.push(`${place}: write "room/file.h" (${name})`);
    for (const [header, allowed] of outside)
      if (header.test(name) && !allowed.test(path)) faults.push(`${place}: ${name} does not belong here`);
  }
  for (const [index, line] of bare(text).split('\n').entries()) {
    const call = banned.exec(line) ?? (/^src\/base\//.test(path) ? null : memory.exec(line));
    if (call) faults.push(`${path}:${index + 1}: ${call[1]} is not used here`);
  }
}

// Packages: the builders know no document, the page's scripts no wasm.
for (const path of files((p) => /^packages\/plotly\/src\/(?!dashboard\/).*\.js$/.test(p)))
  for (const [index, line] of read(path).split('\n').entries())
    if (/(?<![\w.'"`-])(document|window|localStorage)\./.test(line.replace(/\/\/.*|^\s*\*.*/, '')))
      faults.push(`${path}:${index + 1}: figure builders touch no document`);

report('includes', faults);
