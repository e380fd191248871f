// A folder of recordings, its store, and cursors over them.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRecordingFiles, type RecordingFiles } from '../../../../server/recording/files.ts';
import { GroupLibrary } from '../../../../server/recording/playback/groupLibrary.ts';
import { createSegmentDirectory, type OpenSegments } from '../../../../server/recording/playback/storedSegments.ts';
import { MARKER_NAME } from '../../../../server/recording/segmentPath.ts';
import { openDatabase } from '../../../../server/store/database.ts';
import { createSegmentStore, type SegmentStore } from '../../../../server/store/segments.ts';
import { createTempFolder } from '../../../support/tempFolder.ts';

export interface RecordingScene {
  readonly folder: string;
  readonly files: RecordingFiles;
  readonly segments: SegmentStore;
  readonly library: GroupLibrary;
  /** Who says what is still written. */
  recorder: OpenSegments;
  close(): Promise<void>;
}

export async function openRecordingScene(): Promise<RecordingScene> {
  const folder = await createTempFolder();
  const database = await openDatabase({ engine: 'sqlite', file: ':memory:' });
  await writeFile(join(folder.path, MARKER_NAME), '');
  const files = createRecordingFiles(folder.path);
  const segments = createSegmentStore(database.db);
  const recorder: { current: OpenSegments } = { current: { openSegments: () => [] } };
  const directory = createSegmentDirectory(segments, { openSegments: (track) => recorder.current.openSegments(track) });
  const library = new GroupLibrary({ files, directory });
  return {
    folder: folder.path,
    files,
    segments,
    library,
    get recorder() {
      return recorder.current;
    },
    set recorder(other) {
      recorder.current = other;
    },
    close: async () => {
      await database.close();
      await folder.remove();
    },
  };
}
