// A simulated terminal's recordings: what it says of them, and their playback.
import { GeneralResult } from '../../server/device/jt808/codec/codes.ts';
import { type BodyOf, type MessageBody, messageIdOf } from '../../server/device/jt808/codec/message.ts';
import {
  PlaybackCommand,
  RecordedMedia,
  RecordedStorage,
  RecordedStream,
  type ResourceItem,
} from '../../server/device/jt808/codec/messages/recordings.ts';
import { runAfter } from '../../server/faults/timers.ts';
import { wireChannel } from '../channelQuirks.ts';
import { LOOP_FRAMES } from '../clip/clipFormat.ts';
import type { Clip } from '../clip/loadClip.ts';
import type { StorageQuirks } from '../quirks.ts';
import { reportFault } from '../reportFault.ts';
import type { VehicleProfile } from '../vehicleProfile.ts';
import type { CardClock } from './cardClock.ts';
import { type CardFile, cardFiles } from './cardContents.ts';
import { CardPlayer } from './cardPlayer.ts';

export interface CardOptions {
  /** Digits of the number in media packets. */
  readonly sim: string;
  readonly profile: VehicleProfile;
  readonly clock: CardClock;
  readonly clipOf: (channel: number) => Clip | undefined;
  readonly reply: (body: MessageBody) => void;
}

export type CardOrder = BodyOf<'queryResources'> | BodyOf<'playbackRequest'> | BodyOf<'playbackControl'>;

interface Wanted {
  readonly channel: number;
  readonly start: number | undefined;
  readonly end: number | undefined;
  readonly stream: number;
  readonly media: number;
  readonly storage: number;
}

/** Owns its playbacks, one a channel, and the answers that it delays. */
export class Card {
  readonly #options: CardOptions;
  readonly #players = new Map<number, CardPlayer>();
  readonly #delayed = new Set<() => void>();

  constructor(options: CardOptions) {
    this.#options = options;
  }

  get playbacks(): readonly number[] {
    return [...this.#players.keys()];
  }

  obey(serial: number, order: CardOrder): void {
    const { answerAfterMs = 0 } = this.#quirks;
    if (answerAfterMs === 0) {
      this.#obeyNow(serial, order);
      return;
    }
    const obey = (): void => {
      this.#delayed.delete(cancel);
      this.#obeyNow(serial, order);
    };
    const cancel = runAfter(answerAfterMs, obey, reportFault);
    this.#delayed.add(cancel);
  }

  stopAll(): void {
    for (const cancel of this.#delayed) cancel();
    this.#delayed.clear();
    for (const player of this.#players.values()) player.close();
  }

  get #quirks(): StorageQuirks {
    return this.#options.profile.quirks?.card ?? {};
  }

  #obeyNow(serial: number, order: CardOrder): void {
    if (order.kind === 'queryResources') this.#list(serial, order);
    else if (order.kind === 'playbackRequest') this.#play(serial, order);
    else this.#control(serial, order);
  }

  #list(serial: number, query: BodyOf<'queryResources'>): void {
    const { list } = this.#quirks;
    if (list === 'not-answered') return;
    if (list === 'refused') this.#answer(serial, query, GeneralResult.NotSupported);
    else this.#replyItems(serial, this.#items(query));
  }

  #play(serial: number, request: BodyOf<'playbackRequest'>): void {
    const { playback } = this.#quirks;
    if (playback === 'not-answered') return;
    if (playback === 'refused') {
      this.#answer(serial, request, GeneralResult.Failed);
      return;
    }
    const items = this.#items(request);
    if (playback === 'general-reply') {
      this.#answer(serial, request, items.length === 0 ? GeneralResult.Failed : GeneralResult.Ok);
    } else if (playback !== 'media-first') this.#replyItems(serial, items);
    if (playback !== 'not-dialled' && items.length > 0) this.#dial(request);
  }

  #dial({ host, tcpPort, channel, start, end }: BodyOf<'playbackRequest'>): void {
    const { sim, profile, clock, clipOf } = this.#options;
    const clip = clipOf(channel);
    if (clip === undefined) return;
    const now = Date.now();
    const startMs = clock.moment(start) ?? 0;
    const endMs = clock.moment(end) ?? now;
    this.#players.get(channel)?.close();
    const player = new CardPlayer({
      target: { host, port: tcpPort },
      sim,
      channel: wireChannel(channel, profile.quirks),
      clip,
      files: cardFiles(profile.card ?? {}, { startMs, endMs }, now),
      startMs,
      endMs,
      stampsAheadMs: clock.aheadMs,
      quirks: profile.quirks ?? {},
      onClose: () => {
        if (this.#players.get(channel) === player) this.#players.delete(channel);
      },
    });
    this.#players.set(channel, player);
  }

  #control(serial: number, control: BodyOf<'playbackControl'>): void {
    const quirk = this.#quirks.control;
    const isStop = control.command === PlaybackCommand.End;
    if (quirk === 'not-answered' && !isStop) return;
    const player = this.#players.get(control.channel);
    const isRefused = player === undefined || (quirk === 'refused' && !isStop);
    this.#answer(serial, control, isRefused ? GeneralResult.Failed : GeneralResult.Ok);
    if (isRefused || (quirk === 'disobeyed' && !isStop)) return;
    steer(player, control, this.#options.clock.moment(control.position));
  }

  /** Newest first where that is the quirk: the standard asks for no order. */
  #items(wanted: Wanted): ResourceItem[] {
    const { profile, clock, clipOf } = this.#options;
    if (this.#quirks.list === 'empty') return [];
    const channels = wanted.channel === 0 ? profile.channels : wanted.channel;
    const items: ResourceItem[] = [];
    for (let channel = wanted.channel || 1; channel <= Math.min(channels, profile.channels); channel++) {
      const range = { startMs: clock.moment(wanted.start) ?? 0, endMs: clock.moment(wanted.end) ?? Date.now() };
      const files = isKept(wanted) ? cardFiles(profile.card ?? {}, range, Date.now()) : [];
      const place = { channel: wireChannel(channel, profile.quirks), clip: clipOf(channel) };
      for (const file of files) items.push(itemOf(file, place, clock));
    }
    return this.#quirks.list === 'newest-first' ? items.toReversed() : items;
  }

  #replyItems(replySerial: number, items: readonly ResourceItem[]): void {
    this.#options.reply({ kind: 'resources', replySerial, total: items.length, items });
  }

  #answer(replySerial: number, to: MessageBody, result: number): void {
    this.#options.reply({ kind: 'terminalGeneralReply', replySerial, replyId: messageIdOf(to), result });
  }
}

/** The card holds main streams with sound, on the main storage. */
function isKept({ stream, media, storage }: Wanted): boolean {
  const isStream = stream === RecordedStream.Any || stream === RecordedStream.Main;
  const isMedia = media === RecordedMedia.AudioVideo || media === RecordedMedia.VideoOrAudioVideo;
  const isStorage = storage === RecordedStorage.Any || storage === RecordedStorage.Main;
  return isStream && isMedia && isStorage;
}

interface CardPlace {
  readonly channel: number;
  readonly clip: Clip | undefined;
}

function itemOf({ startMs, endMs }: CardFile, { channel, clip }: CardPlace, clock: CardClock): ResourceItem {
  const loopBytes = clip?.frames.reduce((bytes, frame) => bytes + frame.bytes.length, 0) ?? 0;
  const loops = ((endMs - startMs) * 25) / 1000 / LOOP_FRAMES;
  return {
    channel,
    start: clock.shown(startMs),
    end: clock.shown(endMs),
    videoAlarms: 0,
    alarms: 0,
    media: RecordedMedia.AudioVideo,
    stream: RecordedStream.Main,
    storage: RecordedStorage.Main,
    sizeBytes: Math.round(loopBytes * loops),
  };
}

function steer(
  player: CardPlayer,
  { command, speed }: BodyOf<'playbackControl'>,
  positionMs: number | undefined,
): void {
  switch (command) {
    case PlaybackCommand.Start:
      player.play();
      return;
    case PlaybackCommand.Pause:
      player.pause();
      return;
    case PlaybackCommand.End:
      player.close();
      return;
    case PlaybackCommand.FastForward:
      player.fastForward(2 ** Math.max(0, speed - 1));
      return;
    case PlaybackCommand.Seek:
      if (positionMs !== undefined) player.seek(positionMs);
      return;
  }
}
