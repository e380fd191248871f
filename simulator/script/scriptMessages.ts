// The messages beside positions in which a script's moments are said.
import type { MessageBody } from '../../server/device/jt808/codec/message.ts';
import { type WallMs, wallMs } from '../../shared/protocol/time.ts';
import type { MomentStep } from './vehicleScript.ts';

export interface MessageContext {
  /** What the terminal's clock shows. */
  readonly clock: WallMs;
  readonly wireChannel: (channel: number) => number;
  /** Gives the picture's media id. */
  readonly takePicture: (channel: number, event: number) => number;
}

const JPEG_PICTURE = { type: 0, format: 0 } as const;
const CARD_INSERTED = 1;
const CARD_TAKEN_OUT = 2;
const CARD_READ = 0;

export function messageOf(step: MomentStep, { clock, wireChannel, takePicture }: MessageContext): MessageBody {
  switch (step.kind) {
    case 'media-event': {
      const { channel, event } = step;
      const mediaId = takePicture(channel, event);
      return { kind: 'mediaEvent', mediaId, ...JPEG_PICTURE, event, channel: wireChannel(channel) };
    }
    case 'driver-card': {
      const { card } = step;
      if (card === undefined) return { kind: 'driverIdentity', status: CARD_TAKEN_OUT, time: clock };
      return { kind: 'driverIdentity', status: CARD_INSERTED, time: clock, readResult: CARD_READ, card };
    }
    case 'passengers': {
      const { boarded, alighted, overSeconds } = step;
      return { kind: 'passengerFlow', start: wallMs(clock - overSeconds * 1000), end: clock, boarded, alighted };
    }
    case 'driver-event':
      return { kind: 'eventReport', id: step.id };
    case 'passthrough':
      return { kind: 'passthroughUp', type: step.type, data: step.data };
  }
}
