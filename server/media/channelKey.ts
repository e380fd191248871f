/** Which of a channel's two encodings: the full picture or the small one. */
export type StreamQuality = 'main' | 'sub';

/** One live stream of one camera. */
export interface ChannelKey {
  readonly deviceId: string;
  /** The device's own number, from 1. */
  readonly channel: number;
  readonly quality: StreamQuality;
}

/** The key as a Map can hold it. Device ids have no slash, so two keys never meet in one text. */
export function channelKeyText(key: ChannelKey): string {
  return `${key.deviceId}/${key.channel}/${key.quality}`;
}
