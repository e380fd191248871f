import { expect, it, onTestFinished } from 'vitest';
import { EvidenceFiles } from '../../../../server/events/evidence/evidenceFiles.ts';
import { readEvidence } from '../../../../server/events/evidence/readEvidence.ts';
import { createTempFolder } from '../../../support/tempFolder.ts';

it('reads a file as a whole, unless it is gone or too large', async () => {
  const folder = await createTempFolder();
  onTestFinished(() => folder.remove());
  const files = new EvidenceFiles(folder.path);
  await files.start();
  const incoming = await files.create();
  await incoming.write(0, Buffer.from('picture'));
  const { fileId } = await incoming.finish();
  expect((await readEvidence(files, fileId, 7))?.toString()).toBe('picture');
  expect(await readEvidence(files, fileId, 6)).toBeUndefined();
  expect(await readEvidence(files, 'ab'.repeat(16), 7)).toBeUndefined();
  expect(await readEvidence(files, '../secret', 7)).toBeUndefined();
});
