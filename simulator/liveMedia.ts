import {
  LiveCommand,
  type LiveControl,
  LiveDataType,
  type LiveRequest,
  LiveStream,
} from '../server/device/jt808/codec/messages/live.ts';
import type { MediaPacket } from '../server/device/jt1078/codec/packet.ts';
import type { StreamQuality } from '../server/media/channelKey.ts';
import { wireChannel } from './channelQuirks.ts';
import type { Clip } from './clip/loadClip.ts';
import { MediaSender } from './mediaSender.ts';
import type { TerminalQuirks } from './quirks.ts';

/** What a channel's camera sends in one of its two streams; undefined: no picture. */
export type ClipOf = (channel: number, quality: StreamQuality) => Clip | undefined;

export interface LiveMediaOptions {
  readonly sim: string;
  readonly clipOf: ClipOf;
  readonly quirks: TerminalQuirks;
  /** What is spoken to the vehicle. */
  readonly onSpeech?: ((packet: MediaPacket) => void) | undefined;
}

/** The live streams that a simulated terminal is sending, one a channel and stream, and its talk line. */
export class LiveMedia {
  readonly #options: LiveMediaOptions;
  readonly #senders = new Map<string, MediaSender>();

  constructor(options: LiveMediaOptions) {
    this.#options = options;
  }

  get streams(): readonly string[] {
    return [...this.#senders.keys()];
  }

  start(request: LiveRequest): void {
    const isTalk = isTalkType(request.dataType);
    const text = isTalk ? `${request.channel}/talk` : `${request.channel}/${request.stream}`;
    this.#senders.get(text)?.close();
    const { sim, clipOf, quirks, onSpeech } = this.#options;
    const sender = new MediaSender({
      sim,
      quirks,
      target: { host: request.host, port: request.tcpPort },
      channel: wireChannel(request.channel, quirks),
      clip: isTalk ? undefined : clipOf(request.channel, request.stream === LiveStream.Sub ? 'sub' : 'main'),
      withAudio: request.dataType !== LiveDataType.Video && request.dataType !== LiveDataType.Broadcast,
      ...(isTalk && onSpeech !== undefined && { onDownlink: onSpeech }),
      onClose: () => {
        if (this.#senders.get(text) === sender) this.#senders.delete(text);
      },
    });
    this.#senders.set(text, sender);
  }

  /** The command to close names a channel and means all its streams. */
  control({ channel, command }: LiveControl): void {
    if (command === LiveCommand.CloseTalk) this.#senders.get(`${channel}/talk`)?.close();
    if (command !== LiveCommand.Close) return;
    for (const [text, sender] of this.#senders) {
      if (text.startsWith(`${channel}/`) && !text.endsWith('/talk')) sender.close();
    }
  }

  stopAll(): void {
    for (const sender of this.#senders.values()) sender.close();
  }
}

function isTalkType(dataType: number): boolean {
  return dataType === LiveDataType.Talk || dataType === LiveDataType.Broadcast;
}
