// The file upload of a terminal (0x9206, 0x9207, 0x1206), as data sync uses it, independent of the protocol.
import type { SyncStream } from '../../../../shared/protocol/sync/syncWords.ts';
import type { WallMs } from '../../../../shared/protocol/time.ts';
import type { FtpAddress } from '../../../ftp/ftpLogin.ts';

export interface UploadOrder {
  readonly deviceId: string;
  readonly to: FtpAddress;
  readonly channel: number;
  readonly stream: SyncStream;
  /** Times of the device's clock. */
  readonly from: WallMs;
  readonly until: WallMs;
  /** Bits: 1 Wi-Fi, 2 LAN, 4 mobile network. The device waits for one of them. */
  readonly networks: number;
}

export type UploadRequested =
  | {
      readonly ok: true;
      /** The device's report that all is sent, or that it has failed; `silent`: its session ended without a report. */
      readonly done: Promise<'done' | 'failed' | 'silent'>;
      /** Whether the device has executed the command. */
      control(act: 'pause' | 'resume' | 'cancel'): Promise<boolean>;
    }
  | { readonly ok: false; readonly reason: 'refused' | 'no-answer' | 'offline' };

export interface UploadPort {
  request(order: UploadOrder): Promise<UploadRequested>;
}
