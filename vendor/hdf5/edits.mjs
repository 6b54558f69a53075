// What is left out of HDF5: see README.md. Every edit is checked to have matched.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SetupError } from '../run.mjs';

const here = dirname(fileURLToPath(import.meta.url));

/** @param {import('../edits.mjs').Tree} tree */
export function edit(tree) {
  boundWork(tree);
  slimErrors(tree);
  dropConversions(tree);
  dropParts(tree);
  for (const line of readFileSync(join(here, 'stubs.txt'), 'utf8').split('\n')) {
    const [file, ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (file) tree.write(`src/${file}`, stub(file, tree.read(`src/${file}`), names));
  }
}

/** Damaged files must end in an error, never in endless work or a clearing of gigabytes. */
function boundWork(tree) {
  // a global heap object of no size would be decoded again and again
  tree.replace(
    'src/H5HGcache.c',
    'if (H5_IS_BUFFER_OVERFLOW(begin, need, p_end))',
    'if (need == 0 || H5_IS_BUFFER_OVERFLOW(begin, need, p_end))',
  );
  // a B-tree node that is its own child would be walked until the stack ends: the library checks a
  // child's level when it loads it, not when its cache has it already
  for (const failure of ['H5_ITER_ERROR', 'FAIL']) {
    const load = `cache_udata.exp_level = exp_level;
    if (NULL == (bt = (H5B_t *)H5AC_protect(f, H5AC_BT, addr, &cache_udata, H5AC__READ_ONLY_FLAG)))
        HGOTO_ERROR(H5E_BTREE, H5E_CANTPROTECT, ${failure}, "unable to load B-tree node");\n`;
    tree.replace(
      'src/H5B.c',
      load,
      `${load}    if (exp_level != H5B_UNKNOWN_NODELEVEL && bt->level != (unsigned)exp_level)
        HGOTO_ERROR(H5E_BTREE, H5E_BADVALUE, ${failure}, "a B-tree node is a child of the wrong level");\n`,
    );
  }
  // an attribute of a variable-length type whose stored size lies would be read past its end
  tree.replace(
    'src/H5Aint.c',
    `dst_type_size = H5T_GET_SIZE(mem_type);

        /* Check if the attribute has any data yet, if not, fill with zeroes */`,
    `dst_type_size = H5T_GET_SIZE(mem_type);
        if (attr->shared->data && nelmts > attr->shared->data_size / src_type_size)
            HGOTO_ERROR(H5E_ATTR, H5E_BADVALUE, FAIL, "attribute data is shorter than its type says");

        /* Check if the attribute has any data yet, if not, fill with zeroes */`,
  );
  // a text that claims gigabytes would get a cleared buffer of that size before its record is read
  tree.replace(
    'src/H5Tconv_vlen.c',
    'dst_size = seq_len * dst_base_size;',
    `dst_size = seq_len * dst_base_size;
                            if (seq_len > ((size_t)64 << 20) / MAX(src_base_size, dst_base_size))
                                HGOTO_ERROR(H5E_DATATYPE, H5E_BADVALUE, FAIL, "a text claims more than 64 MiB");`,
  );
}

/** An error notes its text and nothing else: no file, function, line, ids or formatting. */
function slimErrors(tree) {
  tree.replace(
    'src/H5Eprivate.h',
    'H5E_printf_stack(__FILE__, __func__, __LINE__, maj_id, min_id, __VA_ARGS__);',
    'h5slim_note(H5SLIM_FIRST(__VA_ARGS__, 0));',
  );
  tree.replace(
    'src/H5Eprivate.h',
    '#define HERROR(maj_id',
    'extern void h5slim_note(const char *text);\n#define H5SLIM_FIRST(text, ...) text\n#define HERROR(maj_id',
  );
  // error classes and their hundreds of messages are not registered
  tree.replace('src/H5Eint.c', '#include "H5Einit.h"', '');
  tree.replace('src/H5Eint.c', '#include "H5Eterm.h"', '');
}

/** No hard-coded conversion between every pair of C number types; the generic ones do that work. */
function dropConversions(tree) {
  const text = tree.read('src/H5T.c');
  const soft = text.lastIndexOf('\n', text.indexOf('H5T__register_int(H5T_PERS_SOFT'));
  const hard = text.indexOf('\n\n', text.lastIndexOf('H5T__register_int(H5T_PERS_HARD'));
  if (soft < 0 || hard < soft) throw new SetupError('H5T.c: the list of conversions was not found');
  tree.write(
    'src/H5T.c',
    `${text.slice(0, soft)}
#define H5T__register_int(p, n, a, b, f) ((p) == H5T_PERS_HARD ? 0 : (H5T__register_int)(p, n, a, b, f))${text.slice(soft, hard)}
#undef H5T__register_int${text.slice(hard)}`,
  );
}

/** File drivers, connectors and filters that are not registered, so that their files can go. */
function dropParts(tree) {
  // the environment of the process changes nothing: no plugin path, default driver or connector
  tree.replace(
    'src/H5private.h',
    '#endif /* H5private_H */',
    '#define getenv(name) ((char *)0)\n#endif /* H5private_H */',
  );
  for (const driver of ['core', 'family', 'log', 'multi', 'onion', 'splitter', 'stdio']) {
    tree.replace(
      'src/H5FD.c',
      `    if (H5FD__${driver}_register() < 0)
        HGOTO_ERROR(H5E_VFL, H5E_CANTREGISTER, FAIL, "unable to register ${driver} VFD");\n`,
      '',
    );
    tree.replace('src/H5FD.c', `            H5FD__${driver}_unregister();\n`, '');
  }
  tree.replace(
    'src/H5VLint.c',
    `    if (H5VL__passthru_register() < 0)
        HGOTO_ERROR(H5E_VOL, H5E_CANTINIT, FAIL, "unable to register passthru VOL connector");\n`,
    '',
  );
  tree.replace('src/H5VLint.c', '(void)H5VL__passthru_unregister();', '');
  tree.replace('src/H5VLint.c', 'connector = H5VL_PASSTHRU_conn_g;', 'connector = H5VL_NATIVE_conn_g;');
  for (const filter of ['nbit', 'scaleoffset']) {
    tree.replace(
      'src/H5Z.c',
      `    if (H5Z_register(H5Z_${filter.toUpperCase()}) < 0)
        HGOTO_ERROR(H5E_PLINE, H5E_CANTINIT, FAIL, "unable to register ${filter} filter");\n`,
      '',
    );
  }
}

const failures = [
  [/\*\s*$/, 'return 0;'],
  [/^void$/, ''],
  [/^haddr_t$/, 'return HADDR_UNDEF;'],
  [/^(bool|size_t|hsize_t|unsigned|uint8_t|double|time_t)$/, 'return 0;'],
  [/^H5B_ins_t$/, 'return H5B_INS_ERROR;'],
  [/^(herr_t|htri_t|hid_t|int|ssize_t|hssize_t)$/, 'return -1;'],
];

/** Replaces the bodies of functions by "note that this build cannot do it, and fail". */
function stub(file, text, names) {
  for (const name of names) {
    const found = [...text.matchAll(new RegExp(`^([A-Za-z_][\\w *]*?)\\n${name}\\([^;{]*?\\)\\n\\{\\n[^]*?\\n\\}(?=$| \\/\\*)`, 'gm'))];
    if (found.length !== 1) throw new SetupError(`${file}: found ${found.length} definitions of ${name}`);
    const type = found[0][1].replace(/\b(static|const|H5_ATTR_\w+)\b/g, '').trim();
    const failure = failures.find(([pattern]) => pattern.test(type));
    if (!failure) throw new SetupError(`${file}: ${name} returns "${type}", which has no failure value`);
    const head = found[0][0].slice(0, found[0][0].indexOf('\n{\n'));
    const body = `${head}\n{\n    h5slim_note("not supported by a reading-only build of HDF5");\n    ${failure[1]}\n}`;
    text = text.slice(0, found[0].index) + body + text.slice(found[0].index + found[0][0].length);
  }
  return text;
}
