// Where terminals upload the files of alarms.
import type { DeviceOwners } from '../../limits/deviceOwners.ts';
import { GroupPlaces } from '../../limits/groupPlaces.ts';
import { KeyedCount } from '../../limits/keyedCount.ts';
import { listenTcp, type TcpListener, type TcpOptions } from '../tcpServer.ts';
import { AlarmConnections } from './alarmConnections.ts';
import { ATTACHMENT_CONNECTIONS, DEVICE_UPLOADS_LIMIT, UPLOADS_LIMIT } from './attachmentLimits.ts';
import { AttachmentSession, type AttachmentSessionDeps } from './attachmentSession.ts';

export type AttachmentPortOptions = Omit<TcpOptions, 'limits'> &
  Omit<AttachmentSessionDeps, 'uploads' | 'deviceUploads' | 'connections' | 'onProved' | 'owners'> & {
    readonly owners: DeviceOwners;
  };

export function listenForAttachments(options: AttachmentPortOptions): Promise<TcpListener> {
  const { owners, onLimit } = options;
  const uploads = new GroupPlaces({ limit: UPLOADS_LIMIT, onLimit, groups: () => owners.count });
  const deviceUploads = new KeyedCount(DEVICE_UPLOADS_LIMIT, onLimit);
  const connections = new AlarmConnections();
  return listenTcp({ ...options, limits: ATTACHMENT_CONNECTIONS }, (socket, proved) => {
    new AttachmentSession(socket, { ...options, uploads, deviceUploads, connections, onProved: proved });
  });
}
