// A zip archive, read by its central directory (APPNOTE 4.3.12 and 4.3.16).
import { inflateRawSync } from 'node:zlib';

const END_BYTES = 22;
const END_SIGNATURE = 0x06054b50;
const ENTRY_SIGNATURE = 0x02014b50;
const FILE_HEADER_BYTES = 30;
const DEFLATED = 8;

/** The files by their names, all stored as they are or all deflated. Throws on anything else than such an archive without a comment. */
export function readArchive(archive: Buffer, isDeflated = false): ReadonlyMap<string, Buffer> {
  const end = archive.length - END_BYTES;
  if (archive.readUInt32LE(end) !== END_SIGNATURE) throw new Error('the archive does not end as one');
  const files = new Map<string, Buffer>();
  let at = archive.readUInt32LE(end + 16);
  for (let count = archive.readUInt16LE(end + 10); count > 0; count--) {
    if (archive.readUInt32LE(at) !== ENTRY_SIGNATURE) throw new Error('the archive has no such entry');
    if (archive.readUInt16LE(at + 10) !== (isDeflated ? DEFLATED : 0))
      throw new Error('the files are stored otherwise');
    const bytes = archive.readUInt32LE(at + 20);
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((field) => archive.readUInt16LE(at + field));
    const header = archive.readUInt32LE(at + 42);
    const start = header + FILE_HEADER_BYTES + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28);
    const nameAt = at + 46;
    files.set(
      archive.toString('utf8', nameAt, nameAt + (nameBytes ?? 0)),
      inflated(archive.subarray(start, start + bytes), isDeflated),
    );
    at = nameAt + (nameBytes ?? 0) + (extraBytes ?? 0) + (commentBytes ?? 0);
  }
  return files;
}

function inflated(content: Buffer, isDeflated: boolean): Buffer {
  return isDeflated ? inflateRawSync(content) : content;
}
