// Puts a Brotli and a gzip copy beside each text file, so that the gateway compresses nothing while it serves.
import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { filesBelow } from './files.mjs';

const TEXT = /\.(css|html|m?js|json|svg|txt|webmanifest|xml)$/;
/** Below this a compressed copy saves no packet on the wire. */
const WORTH_IT_BYTES = 1024;

/** @param {string} folder */
export async function compressFolder(folder) {
  await Promise.all(
    filesBelow(folder)
      .filter((path) => TEXT.test(path))
      .map(compressFile),
  );
}

/** @param {string} path */
async function compressFile(path) {
  const content = await readFile(path);
  if (content.length <= WORTH_IT_BYTES) return;
  const brotli = promisify(brotliCompress)(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  });
  const gzipped = promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION });
  await Promise.all([writeFile(`${path}.br`, await brotli), writeFile(`${path}.gz`, await gzipped)]);
}
