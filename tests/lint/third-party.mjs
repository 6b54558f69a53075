// THIRD-PARTY.md and the recipes under vendor/ say the same, and every recipe carries its licence.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { files, read, report, root } from './files.mjs';

const faults = [];
const page = read('THIRD-PARTY.md');
for (const path of files((p) => /^vendor\/[^/]+\/recipe\.json$/.test(p))) {
  const recipe = JSON.parse(read(path));
  const folder = path.replace(/\/recipe\.json$/, '');
  const row = page.split('\n').find((line) => line.startsWith('|') && line.includes(recipe.name));
  if (!row) faults.push(`THIRD-PARTY.md: no row for ${recipe.name}`);
  else if (!row.includes(recipe.version)) faults.push(`THIRD-PARTY.md: ${recipe.name} is pinned at ${recipe.version}`);
  if (!existsSync(join(root, folder, 'LICENSE'))) faults.push(`${folder}: its licence text is missing`);
  if (!/[0-9a-f]{64}/.test(read(path))) faults.push(`${path}: no SHA-256`);
}
report('third-party', faults);
