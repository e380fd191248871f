// A snapshot as a file.
import type { Snapshot, SnapshotFormat } from '../../../workers/video/messages.ts';

const EXTENSIONS: Readonly<Record<SnapshotFormat, string>> = { png: 'png', jpeg: 'jpg' };

export interface SnapshotPlace {
  readonly deviceid: string;
  readonly channel: number;
  /** When the picture was taken, milliseconds since the epoch. */
  readonly atMs: number;
}

/** `{device}_ch{channel}_{yyyy-MM-dd_HH-mm-ss}`, in the viewer's zone; without characters that a file system forbids. */
export function snapshotName({ deviceid, channel, atMs }: SnapshotPlace, format: SnapshotFormat): string {
  const at = new Date(atMs);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-');
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join('-');
  return `${deviceid.replace(/[\\/:*?"<>|\s]/g, '_')}_ch${channel}_${day}_${time}.${EXTENSIONS[format]}`;
}

/** Gives the image to the browser to be saved. The picture's own time names it, if the device has reported one. */
export function saveSnapshot({ image, deviceTimeMs }: Snapshot, place: Omit<SnapshotPlace, 'atMs'>): string {
  const name = snapshotName({ ...place, atMs: deviceTimeMs > 0 ? deviceTimeMs : Date.now() }, 'png');
  const address = URL.createObjectURL(image);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has taken what it needs once the click's task is over.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
  return name;
}
