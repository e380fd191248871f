// Recordings of known content in the folder of a gateway that runs, as its own recorder would have written them.
import { join } from 'node:path';
import { createRecordingFiles } from '../../../server/recording/files.ts';
import { openDatabase } from '../../../server/store/engine/database.ts';
import { createStores } from '../../../server/store/stores.ts';
import { type RecordedChannel, recordChannel } from '../media/recordedDay.ts';
import { waitFor } from '../waitFor.ts';
import type { Product } from './product.ts';

export async function recordInto(
  { dataDir }: Product,
  deviceId: string,
  channels: readonly Omit<RecordedChannel, 'archiveId'>[],
): Promise<void> {
  const files = createRecordingFiles(join(dataDir, 'recordings'));
  // The recorder marks its folder when it has seen it.
  await waitFor('the folder of recordings', async () => (await files.list('.')).length > 0);
  const database = await openDatabase({ engine: 'sqlite', file: join(dataDir, 'fleetglass.db') });
  try {
    const { devices, segments } = createStores(database.db);
    const { archiveId = '' } = (await devices.findByDeviceId(deviceId)) ?? {};
    for (const channel of channels) await recordChannel({ files, segments }, { ...channel, archiveId });
  } finally {
    await database.close();
  }
}
