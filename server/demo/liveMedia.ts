import { LiveCommand, type LiveControl, LiveDataType, type LiveRequest } from '../device/jt808/codec/messages/live.ts';
import type { Clip } from './clip/loadClip.ts';
import { MediaSender } from './mediaSender.ts';

export interface LiveMediaOptions {
  readonly sim: string;
  readonly clip: Clip;
}

/** The live streams that a simulated terminal is sending, one a channel and stream. */
export class LiveMedia {
  readonly #options: LiveMediaOptions;
  readonly #senders = new Map<string, MediaSender>();

  constructor(options: LiveMediaOptions) {
    this.#options = options;
  }

  start(request: LiveRequest): void {
    const text = `${request.channel}/${request.stream}`;
    this.#senders.get(text)?.close();
    const sender = new MediaSender({
      ...this.#options,
      target: { host: request.host, port: request.tcpPort },
      channel: request.channel,
      withAudio: request.dataType === LiveDataType.AudioVideo,
      onClose: () => {
        if (this.#senders.get(text) === sender) this.#senders.delete(text);
      },
    });
    this.#senders.set(text, sender);
  }

  control(control: LiveControl): void {
    if (control.command !== LiveCommand.Close) return;
    for (const [text, sender] of this.#senders) if (text.startsWith(`${control.channel}/`)) sender.close();
  }

  stopAll(): void {
    for (const sender of this.#senders.values()) sender.close();
  }
}
