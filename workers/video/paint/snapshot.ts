import type { Snapshot, SnapshotFormat } from '../messages.ts';
import type { HeldFrame } from './frameSlot.ts';

const JPEG_QUALITY = 0.92;

/**
 * The picture as an image file, in its full size. It is copied before this returns, so the caller may close it then.
 * Undefined when it cannot be drawn or written.
 */
export async function takeSnapshot({ frame, times }: HeldFrame, format: SnapshotFormat): Promise<Snapshot | undefined> {
  const size = { width: frame.displayWidth, height: frame.displayHeight };
  const canvas = new OffscreenCanvas(size.width, size.height);
  const context = canvas.getContext('2d', { alpha: false });
  if (context === null) return undefined;
  try {
    context.drawImage(frame, 0, 0, size.width, size.height);
    const image = await canvas.convertToBlob({ type: `image/${format}`, quality: JPEG_QUALITY });
    return { image, size, deviceTimeMs: times.deviceTimeMs };
  } catch {
    return undefined;
  }
}
