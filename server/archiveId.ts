// What the recordings of a device lie under, in the database and on the disk. Not the device's id alone: another device may
// have had that id before, and its recordings belong to others.
import { randomBytes } from 'node:crypto';

/** No device id has it, so what stands before it is the id, and no archive has the name of another device. */
const SEPARATOR = '@';
const RANDOM_BYTES = 8;

/**
 * Random and not counted: after the loss of a database the folders of recordings are still there, and no device that is added
 * then may come upon one of them.
 */
export function newArchiveId(deviceId: string): string {
  return `${deviceId}${SEPARATOR}${randomBytes(RANDOM_BYTES).toString('hex')}`;
}

/** Archives that were begun before they had names of their own have the name of their device. */
export function deviceIdOfArchive(archiveId: string): string {
  const [deviceId = archiveId] = archiveId.split(SEPARATOR, 1);
  return deviceId;
}
