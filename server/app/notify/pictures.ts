import type { EvidenceFiles } from '../../events/evidence/evidenceFiles.ts';

/** Undefined for a file that is not there, or is larger than so much. */
export async function readPicture(
  files: Pick<EvidenceFiles, 'open'>,
  fileId: string,
  maxBytes: number,
): Promise<Buffer | undefined> {
  const file = await files.open(fileId);
  if (file === undefined) return undefined;
  try {
    const { size } = await file.stat();
    return size > maxBytes ? undefined : await file.readFile();
  } finally {
    await file.close();
  }
}
