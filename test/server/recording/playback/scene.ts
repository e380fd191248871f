// A folder of recordings, its store, and cursors over them.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenSegment } from '../../../../server/recording/channelRecorder.ts';
import { createRecordingFiles, type RecordingFiles } from '../../../../server/recording/files.ts';
import { GopReader } from '../../../../server/recording/playback/gopReader.ts';
import { createSegmentDirectory } from '../../../../server/recording/playback/segmentDirectory.ts';
import { createRecordedIndex } from '../../../../server/recording/recordedIndex.ts';
import { MARKER_NAME } from '../../../../server/recording/segmentPath.ts';
import { createSegmentStore, type SegmentStore } from '../../../../server/store/recordings/segments.ts';
import { createTempFolder } from '../../../support/tempFolder.ts';
import { openTestDatabase } from '../../store/testDatabase.ts';

interface OpenSegments {
  openSegments(): readonly OpenSegment[];
}

export interface RecordingScene {
  readonly folder: string;
  readonly files: RecordingFiles;
  readonly segments: SegmentStore;
  readonly gopReader: GopReader;
  /** Who says what is still written. */
  recorder: OpenSegments;
  close(): Promise<void>;
}

export async function openRecordingScene(): Promise<RecordingScene> {
  const folder = await createTempFolder();
  const database = await openTestDatabase('sqlite');
  await writeFile(join(folder.path, MARKER_NAME), '');
  const files = createRecordingFiles(folder.path);
  const segments = createSegmentStore(database.db, database.reading);
  let recorder: OpenSegments = { openSegments: () => [] };
  const recorded = createRecordedIndex({
    segments,
    openSegments: () => recorder.openSegments(),
    unstored: () => [],
  });
  const directory = createSegmentDirectory(recorded);
  const gopReader = new GopReader({ files, directory });
  return {
    folder: folder.path,
    files,
    segments,
    gopReader,
    get recorder() {
      return recorder;
    },
    set recorder(other) {
      recorder = other;
    },
    close: async () => {
      await database.close();
      await folder.remove();
    },
  };
}
