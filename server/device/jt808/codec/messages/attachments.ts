// T/JSATL 12: the files of an active-safety alarm. 0x9208 goes to the terminal's signalling connection; all others travel on
// the one that the terminal then opens, with blocks of file data between them (../attachmentStream.ts).
import { alarmMark } from '../alarmMark.ts';
import { counted, countedText, layout, paddedText, u8, u16, u32, type Value, withReserved } from '../fields.ts';
import { encodeEchoed } from '../gbk.ts';

/** 0x1210. Supplementary: files that were not sent the first time. */
export const AttachmentUploadType = { Normal: 0, Supplementary: 1 } as const;
export const AttachmentType = { Picture: 0, Audio: 1, Video: 2, Text: 3, Other: 4 } as const;
/** 0x9212. */
export const AttachmentResult = { Complete: 0, SendAgain: 1 } as const;

/** The platform's own name of an alarm, ASCII; the terminal gives it back. */
const alarmNumber = paddedText(32);

/** The terminal's own, which it hears again. */
const fileName = countedText(u8, encodeEchoed);

/** A port of 0: not that transport. */
const attachmentRequest = layout({
  host: countedText(u8),
  tcpPort: u16,
  udpPort: u16,
  mark: alarmMark,
  alarmNumber: withReserved(alarmNumber, 16),
});

const attachmentList = layout({
  terminalId: paddedText(7),
  mark: alarmMark,
  alarmNumber,
  /** AttachmentUploadType. */
  uploadType: u8,
  files: counted(u8, layout({ name: fileName, sizeBytes: u32 })),
});

/** `type`: AttachmentType. */
const file = { name: fileName, type: u8 };
const attachmentFile = layout({ ...file, sizeBytes: u32 });

const fileRange = layout({ offset: u32, lengthBytes: u32 });
/** A part of a file. */
export type FileRange = Value<typeof fileRange>;

export const attachmentMessages = {
  attachmentRequest,
  attachmentList,
  /** The file that is sent next. */
  attachmentFile,
  /** The file that was sent, as far as the terminal knows. */
  attachmentFileDone: attachmentFile,
  /** `result`: AttachmentResult. `missing`: at most 95 fit one frame with any name; the next 0x1212 can bring the rest. */
  attachmentFileReply: layout({ ...file, result: u8, missing: counted(u8, fileRange) }),
};
