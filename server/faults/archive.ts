import { ZipFile } from 'yazl';

/** An archive that is written as it is read. `onError` is told of a file that cannot be added; nothing more comes then. */
export function createArchive(onError: (error: unknown) => void): ZipFile {
  const archive = new ZipFile();
  archive.on('error', onError);
  archive.outputStream.on('error', onError);
  return archive;
}
