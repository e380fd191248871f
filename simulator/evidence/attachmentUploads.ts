import { GeneralResult } from '../../server/device/jt808/codec/codes.ts';
import { type BodyOf, type MessageBody, messageIdOf } from '../../server/device/jt808/codec/message.ts';
import type { VehicleProfile } from '../vehicleProfile.ts';
import type { AlarmFiles } from './alarmFiles.ts';
import { AttachmentUpload } from './attachmentUpload.ts';

export interface AttachmentUploadsDeps {
  readonly profile: VehicleProfile;
  readonly files: Pick<AlarmFiles, 'has' | 'files'>;
  readonly reply: (body: MessageBody) => void;
  /** Hears of what comes on these connections. */
  readonly onMessage?: ((body: MessageBody) => void) | undefined;
}

/** At once. */
const MAX_UPLOADS = 4;

/** Owns the connections on which files of alarms are uploaded. */
export class AttachmentUploads {
  readonly #deps: AttachmentUploadsDeps;
  readonly #open = new Set<AttachmentUpload>();

  constructor(deps: AttachmentUploadsDeps) {
    this.#deps = deps;
  }

  /** Connections that are open. */
  get count(): number {
    return this.#open.size;
  }

  obey(serial: number, request: BodyOf<'attachmentRequest'>): void {
    const { profile, files, reply, onMessage } = this.#deps;
    const isPossible = files.has(request.mark) && request.tcpPort > 0 && this.#open.size < MAX_UPLOADS;
    const result = isPossible ? GeneralResult.Ok : GeneralResult.Failed;
    reply({ kind: 'terminalGeneralReply', replySerial: serial, replyId: messageIdOf(request), result });
    if (!isPossible) return;
    const upload = new AttachmentUpload({
      profile,
      request,
      files: files.files(request.mark, request.alarmNumber),
      onMessage,
      onClose: () => this.#open.delete(upload),
    });
    this.#open.add(upload);
  }

  stopAll(): void {
    for (const upload of this.#open) upload.close();
  }
}
