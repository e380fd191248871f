// A whole gateway in this process, with a person, a device and recordings of known content.

import { type Gateway, startGateway } from '../../../server/app/gateway.ts';
import { recordingFolder } from '../../../server/app/recordings.ts';
import { createSecret, hashSecret } from '../../../server/auth/secrets.ts';
import { readConfig } from '../../../server/config/readConfig.ts';
import { createLog } from '../../../server/process/log.ts';
import { createRecordingFiles } from '../../../server/recording/files.ts';
import type { LinkKind } from '../../../server/store/links/linkCredentials.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { type RecordedChannel, recordChannel } from '../media/recordedDay.ts';
import { createTempFolder } from '../tempFolder.ts';
import { waitFor } from '../waitFor.ts';
import { FREE_PORTS } from './freePorts.ts';

export interface RecordedGateway {
  readonly gateway: Gateway;
  readonly ownerId: number;
  readonly memberGroup: number;
  readonly deviceGroup: number;
  /** Makes a link to the device, of the owner or of another member; gives its id and its secret. */
  link(
    kinds: readonly LinkKind[],
    channelMask?: number,
    maker?: number,
  ): Promise<{ readonly id: number; readonly credential: string }>;
  record(channel: Omit<RecordedChannel, 'archiveId'>): Promise<void>;
  close(): Promise<void>;
}

export const RECORDED_DEVICE = 'BUS1';
export const RECORDED_OWNER = 'ann';

export async function startRecordedGateway(permissions: readonly string[] = []): Promise<RecordedGateway> {
  const folder = await createTempFolder();
  const read = readConfig({ ...FREE_PORTS, DATA_DIR: folder.path, RECORDING_MIN_FREE_MB: '16' });
  if (!read.ok) throw new Error(read.problems.join('\n'));
  const gateway = await startGateway(read.config, { log: createLog('silent') });
  const { stores } = gateway;
  const now = wallMs(Date.now());
  const deviceGroup = await stores.deviceGroups.insert('Buses');
  const memberGroup = await stores.memberGroups.insert({ name: 'Members' });
  await stores.memberGroups.setDeviceGroups(memberGroup, [deviceGroup]);
  const ownerId = await stores.users.insert({ username: RECORDED_OWNER, passwordHash: '-', permissions }, now);
  await stores.memberGroups.setGroupsOfUser(ownerId, [memberGroup]);
  await stores.devices.insert({
    deviceId: RECORDED_DEVICE,
    archiveId: RECORDED_DEVICE,
    name: 'Bus 1',
    chn: 4,
    deviceGroup,
  });
  const files = createRecordingFiles(recordingFolder(read.config));
  return {
    gateway,
    ownerId,
    memberGroup,
    deviceGroup,
    link: async (kinds, channelMask = 15, maker = ownerId) => {
      const credential = createSecret();
      const link = {
        ownerId: maker,
        deviceId: RECORDED_DEVICE,
        channelMask,
        kinds,
        secretHash: hashSecret(credential),
      };
      return { id: await stores.linkCredentials.insert(link, now), credential };
    },
    record: async (channel) => {
      // The recorder marks its folder when it has seen it.
      await waitFor('the folder of recordings', () => files.list('.').then((entries) => entries.length > 0));
      await recordChannel({ files, segments: stores.segments }, { ...channel, archiveId: RECORDED_DEVICE });
    },
    close: async () => {
      await gateway.close();
      await folder.remove();
    },
  };
}
