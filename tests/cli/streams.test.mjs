// Pipes, full disks, signals, standard input, -o: what a command does when the world misbehaves.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, openSync, closeSync, readFileSync, readdirSync,
  readlinkSync, rmSync, symlinkSync, writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';

import { eachBuild, fixturesDir, root, runCli } from '../lib/check.mjs';

const nested = join(fixturesDir, 'python/0.7.5/nested.h5');
const gpu = join(fixturesDir, 'python/0.7.5/gpu.h5');
const scratch = mkdtempSync(join(tmpdir(), 'profscope-cli-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

/** A folder of its own for one test. */
let folders = 0;
function folder() {
  const path = join(scratch, String(folders++));
  mkdirSync(path);
  return path;
}

const programs = {
  native: [join(root, 'build/native/profscope')],
  wasm: [process.execPath, join(root, 'packages/cli/bin/profscope.mjs')],
};

/** Starts the command with streams of its own; `done` resolves with { rc, signal, out, err }. */
function start(build, args, options = {}) {
  const [program, ...before] = programs[build];
  const child = spawn(program, [...before, ...args], { stdio: ['pipe', 'pipe', 'pipe'], ...options });
  const text = { out: '', err: '' };
  child.stdout?.on('data', (data) => { text.out += data; });
  child.stderr?.on('data', (data) => { text.err += data; });
  child.stdin?.on('error', () => {});
  const done = new Promise((resolve) => child.on('close', (rc, signal) => resolve({ rc, signal, ...text })));
  return { child, done };
}

/** The shell's view: a pipeline's exit codes and what came out at its end. */
function shell(build, script) {
  const quoted = programs[build].map((word) => `'${word}'`).join(' ');
  return new Promise((resolve) => {
    const child = spawn('bash', ['-c', script.replaceAll('PROFSCOPE', quoted)], { cwd: fixturesDir });
    const text = { out: '', err: '' };
    child.stdout.on('data', (data) => { text.out += data; });
    child.stderr.on('data', (data) => { text.err += data; });
    child.on('close', (rc) => resolve({ rc, ...text }));
  });
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

eachBuild((build) => {
  const name = (text) => `${text} [${build}]`;

  test(name('a reader that goes away ends the command quietly'), async () => {
    const many = Array(40).fill(nested).map((path, i) => `${'./'.repeat(i)}${path.slice(fixturesDir.length + 1)}`);
    const { rc, out, err } = await shell(build, `PROFSCOPE inspect ${many.join(' ')} | head -1; echo "\${PIPESTATUS[0]}"`);
    assert.equal(err, '');
    assert.equal(out, `${'='.repeat(78)}\n0\n`);
    assert.equal(rc, 0);
  });

  test(name('a full disk behind standard output is exit 5 and one line'), { skip: !existsSync('/dev/full') }, async () => {
    const { rc, err } = await shell(build, 'PROFSCOPE inspect python/0.7.5/nested.h5 > /dev/full');
    assert.equal(rc, 5);
    assert.match(err, /^profscope inspect: error: .*\n$/);
  });

  test(name('a full disk behind standard error loses no exit code'), { skip: !existsSync('/dev/full') }, async () => {
    const { rc, out } = await shell(build, 'PROFSCOPE inspect nosuch.h5 2> /dev/full');
    assert.deepEqual([rc, out], [3, '']);
  });

  test(name('a file that may not grow is exit 5 and leaves nothing behind'), async () => {
    const where = folder();
    const { rc, err } = await shell(build, `ulimit -f 1; PROFSCOPE inspect python/0.7.5/nested.h5 -o ${where}/out.txt`);
    assert.equal(rc, 5, err);
    assert.match(err, /^profscope inspect: error: .*\n$/);
    assert.deepEqual(readdirSync(where), []);
  });

  test(name('a failing standard output is told once, however many files there are'), { skip: !existsSync('/dev/full') }, async () => {
    const { rc, err } = await shell(build, 'PROFSCOPE inspect python/0.7.5/[gmn]*.h5 --regions-only > /dev/full');
    assert.equal(err.split('error:').length, 2, err);
    assert.equal(rc, 5, err);
  });

  test(name('closed streams do no harm'), async () => {
    const { rc } = await shell(build, 'PROFSCOPE inspect python/0.7.5/nested.h5 >&- 2>&-');
    assert.ok([0, 5].includes(rc), `exit ${rc}`);
  });

  test(name('standard input is read, from a pipe and from a file'), async () => {
    const whole = await runCli(build, 'inspect', '--regions-only', nested);
    const wanted = whole.out.replace(nested, '-');
    const piped = await shell(build, 'cat python/0.7.5/nested.h5 | PROFSCOPE inspect --regions-only -');
    assert.deepEqual([piped.rc, piped.err, piped.out], [0, '', wanted]);
    const redirected = await shell(build, 'PROFSCOPE inspect --regions-only - < python/0.7.5/nested.h5');
    assert.deepEqual([redirected.rc, redirected.err, redirected.out], [0, '', wanted]);
  });

  test(name('empty standard input is refused as an empty file'), async () => {
    const { rc, out, err } = await shell(build, 'PROFSCOPE inspect - < /dev/null');
    assert.deepEqual([rc, out], [3, '']);
    assert.match(err, /^profscope inspect: error: -: .*empty.*\n$/);
  });

  for (const [signal, code] of [['SIGINT', 130], ['SIGTERM', 143]]) {
    test(name(`${signal} ends it at once and without a word`), async () => {
      const where = folder();
      const { child, done } = start(build, ['inspect', '-', '-o', join(where, 'out.txt')]);
      await pause(build === 'native' ? 100 : 700);
      const sent = performance.now();
      child.kill(signal);
      const { rc, signal: by, out, err } = await done;
      assert.ok(performance.now() - sent < 500, 'took too long');
      assert.ok(rc === code || by === signal, `exit ${rc} ${by}`);
      assert.deepEqual([out, err], ['', '']);
      assert.deepEqual(readdirSync(where), []);
    });
  }

  test(name('-o writes the file whole, with the mode a new file has, and nothing to the terminal'), async () => {
    const where = folder();
    const file = join(where, 'deep/er/out.txt');
    const { rc, out, err } = await runCli(build, 'inspect', nested, '-o', file);
    assert.deepEqual([rc, out, err], [0, '', '']);
    assert.equal(readFileSync(file, 'utf8'), (await runCli(build, 'inspect', nested)).out);
    assert.deepEqual(readdirSync(join(where, 'deep/er')), ['out.txt']);
  });

  test(name('-o - is standard output'), async () => {
    const plain = await runCli(build, 'inspect', nested);
    assert.equal((await runCli(build, 'inspect', nested, '-o', '-')).out, plain.out);
  });

  test(name('-o leaves an earlier file alone when the input cannot be read'), async () => {
    const where = folder();
    const file = join(where, 'out.txt');
    writeFileSync(file, 'earlier\n');
    const { rc } = await runCli(build, 'inspect', 'nosuch.h5', '-o', file);
    assert.equal(rc, 3);
    assert.equal(readFileSync(file, 'utf8'), 'earlier\n');
    assert.deepEqual(readdirSync(where), ['out.txt']);
  });

  test(name('-o never writes over an input, whatever it is called'), async () => {
    const where = folder();
    const [input, other] = [join(where, 'run.h5'), join(where, 'link.h5')];
    copyFileSync(nested, input);
    symlinkSync('run.h5', other);
    for (const target of [input, other, `${where}/./run.h5`]) {
      const { rc, out, err } = await runCli(build, 'inspect', input, '-o', target);
      assert.equal(rc, 2, err);
      assert.equal(out, '');
      assert.deepEqual(readFileSync(input), readFileSync(nested));
    }
  });

  test(name('-o follows no link out of its folder'), async () => {
    const where = folder();
    mkdirSync(join(where, 'in'));
    writeFileSync(join(where, 'victim'), 'mine\n');
    symlinkSync('../victim', join(where, 'in/out.txt'));
    const { rc, err } = await runCli(build, 'inspect', nested, '-o', join(where, 'in/out.txt'));
    assert.equal(rc, 5);
    assert.match(err, /^profscope inspect: error: .*link.*\n$/);
    assert.equal(readFileSync(join(where, 'victim'), 'utf8'), 'mine\n');
    assert.equal(readlinkSync(join(where, 'in/out.txt')), '../victim');
  });

  test(name('an output that cannot be written is exit 5 and leaves nothing behind'), async () => {
    const where = folder();
    writeFileSync(join(where, 'file'), '');
    for (const target of [join(where, 'file/out.txt'), where]) {
      const { rc, err } = await runCli(build, 'inspect', nested, '-o', target);
      assert.equal(rc, 5, err);
      assert.match(err, /^profscope inspect: error: .*\n$/);
    }
    assert.deepEqual(readdirSync(where), ['file']);
  });

  test(name('-o into a folder that may not be written to'), { skip: process.getuid?.() === 0 && 'root may' }, async () => {
    const where = folder();
    chmodSync(where, 0o555);
    const { rc } = await runCli(build, 'inspect', nested, '-o', join(where, 'out.txt'));
    chmodSync(where, 0o755);
    assert.equal(rc, 5);
  });

  test(name('-o keeps the mode of a file it replaces, and writes devices in place'), async () => {
    const where = folder();
    const file = join(where, 'out.txt');
    writeFileSync(file, '');
    chmodSync(file, 0o600);
    assert.equal((await runCli(build, 'inspect', nested, '-o', file)).rc, 0);
    const { statSync } = await import('node:fs');
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal((await runCli(build, 'inspect', nested, '-o', '/dev/null')).rc, 0);
    assert.ok(statSync('/dev/null').isCharacterDevice());
  });

  test(name('--export-metadata writes one document for all files'), async () => {
    const file = join(folder(), 'meta.json');
    const { rc, out } = await runCli(build, 'inspect', nested, gpu, '--export-metadata', file, '--privacy', 'full', '-q');
    assert.equal(rc, 0);
    assert.equal(out, `Metadata written to ${file}\n`);
    const { files } = JSON.parse(readFileSync(file, 'utf8'));
    assert.deepEqual(files.map((entry) => entry.file_path), [nested, gpu]);
    assert.deepEqual(Object.keys(files[0]), ['file_path', 'num_ranks', 'metadata']);
  });

  test(name('an input that is a named pipe is read'), { skip: process.platform === 'win32' }, async () => {
    const pipe = join(folder(), 'pipe.h5');
    const { rc, out, err } = await shell(build, `mkfifo ${pipe} && cat python/0.7.5/nested.h5 > ${pipe} & sleep 0.2; PROFSCOPE inspect --regions-only ${pipe}`);
    assert.equal(rc, 0, err);
    assert.match(out, /region/);
  });

  test(name('devices, and names no file can have, are one line each'), async () => {
    for (const path of ['/dev/zero', `/${'x'.repeat(300)}`, `${'y/'.repeat(3000)}z`, '']) {
      const { rc, out, err } = await runCli(build, 'inspect', path);
      assert.deepEqual([rc, out], [3, ''], path.slice(0, 20));
      assert.match(err, /^profscope inspect: error: .*\n$/);
      assert.ok(Buffer.byteLength(err) <= 300);
    }
  });

  test(name('a control character in a file name reaches no terminal'), async () => {
    const { err } = await runCli(build, 'inspect', 'a\x1b(B\nb.h5');
    assert.equal(err, 'profscope inspect: error: a\\x1b(B\\nb.h5: no such file\n');
  });

  test(name('hints are for terminals, once'), { skip: !existsSync('/usr/bin/script') && 'no script(1)' }, async () => {
    const line = 'PROFSCOPE inspect python/0.7.5/nested.h5 python/0.7.5/gpu.h5 --regions-only';
    const { out } = await shell(build, `TERM=dumb script -qec "${line}" /dev/null < /dev/null`);
    assert.equal(out.split('Explore:').length, 2, out);
    assert.ok(!(await shell(build, line)).out.includes('Explore:'));
  });

  test(name('colour is for terminals that want it'), { skip: !existsSync('/usr/bin/script') && 'no script(1)' }, async () => {
    const colored = async (env, options = '') => {
      const line = `PROFSCOPE inspect python/0.7.5/counters.h5 --regions-only ${options}`;
      return (await shell(build, `${env} script -qec "${line}" /dev/null < /dev/null`)).out.includes('\x1b[1;36m');
    };
    assert.equal(await colored('NO_COLOR= TERM=xterm'), true);
    assert.equal(await colored('TERM=dumb'), false);
    assert.equal(await colored('NO_COLOR=1 TERM=xterm'), false);
    assert.equal(await colored('TERM=xterm', '--color never'), false);
    assert.equal(await colored('NO_COLOR=1 TERM=dumb', '--color always'), true);
  });

  test(name('equal input gives equal bytes'), async () => {
    const [one, two] = await Promise.all([1, 2].map(() => runCli(build, 'inspect', nested, gpu, '--json')));
    assert.equal(one.out, two.out);
  });
});

// ---- what only the native program does ----------------------------------------------------------

const children = (pid) => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
const linux = existsSync('/proc/self/task') && existsSync(programs.native[0]);

/** Kills the native program's child while it waits for standard input. */
async function killChild(args, signal) {
  const { child, done } = start('native', args);
  for (let i = 0; i < 100 && children(child.pid).length === 0; i++) await pause(10);
  await pause(100);
  process.kill(children(child.pid)[0], signal);
  return done;
}

test('a crash on one file costs that file only [native]', { skip: !linux }, async () => {
  const good = await runCli('native', 'inspect', '--regions-only', nested);
  const both = await runCli('native', 'inspect', '--regions-only', nested, gpu);
  for (const signal of ['SIGSEGV', 'SIGKILL', 'SIGXCPU', 'SIGABRT']) {
    const { rc, out, err } = await killChild(['inspect', '--regions-only', nested, '-', gpu], signal);
    assert.equal(rc, 3, signal);
    assert.equal(out, both.out);
    assert.match(err, /^profscope inspect: error: -: .*\n$/);
    assert.equal(err.split('\n').length, 2);
  }
  assert.ok(both.out.startsWith(good.out));
});

test('the child does not outlive its parent [native]', { skip: !linux }, async () => {
  const { child, done } = start('native', ['inspect', '-']);
  for (let i = 0; i < 100 && children(child.pid).length === 0; i++) await pause(10);
  const [pid] = children(child.pid);
  child.kill('SIGKILL');
  await done;
  await pause(50);
  assert.ok(!existsSync(`/proc/${pid}`) || /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8')));
});

test('standard input survives the death of another file [native]', { skip: !linux }, async () => {
  // the child is killed on the second file, a pipe that nobody writes to
  const pipe = join(folder(), 'pipe.h5');
  await shell('native', `mkfifo ${pipe}`);
  const { child, done } = start('native', ['inspect', '--regions-only', '-', pipe]);
  child.stdin.end(readFileSync(nested));
  const holder = openSync(pipe, 'r+'); // opens without waiting, and keeps the pipe from ending
  await pause(200);
  process.kill(children(child.pid)[0], 'SIGSEGV');
  const { rc, out, err } = await done;
  closeSync(holder);
  assert.equal(rc, 3);
  assert.match(out, /region/);
  assert.match(err, /pipe\.h5: /);
});
