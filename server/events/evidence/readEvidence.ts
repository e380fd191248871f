import type { EvidenceFiles } from './evidenceFiles.ts';

/** Reads a whole file, such as the picture of a mail. Undefined for a file that is missing or has more bytes. */
export async function readEvidence(
  files: Pick<EvidenceFiles, 'open'>,
  fileId: string,
  maxBytes: number,
): Promise<Buffer | undefined> {
  const handle = await files.open(fileId);
  if (handle === undefined) return undefined;
  try {
    const { size } = await handle.stat();
    return size > maxBytes ? undefined : await handle.readFile();
  } finally {
    await handle.close();
  }
}
