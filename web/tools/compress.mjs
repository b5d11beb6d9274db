// Lays a .gz beside every file of the built page that gets smaller by it, so that the station need not compress.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const [, , folder] = process.argv;
let total = 0;

function visit(path) {
  if (statSync(path).isDirectory()) {
    for (const name of readdirSync(path)) visit(join(path, name));
  } else if (!path.endsWith('.gz')) {
    const bytes = readFileSync(path);
    const packed = gzipSync(bytes, { level: 9 });
    if (packed.length < bytes.length) writeFileSync(`${path}.gz`, packed);
    total += Math.min(packed.length, bytes.length);
  }
}

visit(folder);
console.log(`the page: ${(total / 1000).toFixed(1)} kB compressed`);
