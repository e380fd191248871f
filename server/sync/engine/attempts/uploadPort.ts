// What data sync asks of a terminal's file upload (0x9206, 0x9207, 0x1206), whoever speaks it.
import type { SyncStream } from '../../../../shared/protocol/sync/syncWords.ts';
import type { WallMs } from '../../../../shared/protocol/time.ts';
import type { FtpAddress } from '../../../ftp/ftpLogin.ts';

export interface UploadOrder {
  readonly deviceId: string;
  readonly to: FtpAddress;
  readonly channel: number;
  readonly stream: SyncStream;
  /** The device's clock. */
  readonly from: WallMs;
  readonly until: WallMs;
  /** Bits: 1 Wi-Fi, 2 LAN, 4 mobile network. The device waits for one of them. */
  readonly networks: number;
}

export type UploadRequested =
  | {
      readonly ok: true;
      /** As the device says: that all is sent, that it failed; or its session ended without a word. */
      readonly done: Promise<'done' | 'failed' | 'silent'>;
      /** Whether the device did it. */
      control(act: 'pause' | 'resume' | 'cancel'): Promise<boolean>;
    }
  | { readonly ok: false; readonly reason: 'refused' | 'no-answer' | 'offline' };

export interface UploadPort {
  request(order: UploadOrder): Promise<UploadRequested>;
}
