// Pictures and sound that a terminal stores and uploads over the signalling connection.
import { counted, type Field, layout, localTime, restBytes, u8, u16, u32 } from '../fields.ts';
import { basicPosition } from './position.ts';

/**
 * `type`: 0 picture, 1 audio, 2 video. `format`: 0 JPEG, 1 TIF, 2 MP3, 3 WAV, 4 WMV. `event`: 0 command, 1 timer, 2 robbery,
 * 3 collision, 4 door opens, 5 door closes, 6 the door is shut and the speed passes 20 km/h, 7 distance.
 */
const mediaFields = { mediaId: u32, type: u8, format: u8, event: u8, channel: u8 };

const mediaUpload = layout({ ...mediaFields, position: basicPosition, data: restBytes });

const storedMedia = layout({ mediaId: u32, type: u8, channel: u8, event: u8, position: basicPosition });

/** Nothing follows the id when all packages came. */
interface MediaUploadReply {
  readonly mediaId: number;
  readonly missing: readonly number[];
}

const missingNumbers = counted(u8, u16);

const mediaUploadReply: Field<MediaUploadReply> = {
  read(from) {
    const mediaId = u32.read(from);
    return { mediaId, missing: from.remaining === 0 ? [] : missingNumbers.read(from) };
  },
  write(to, value) {
    u32.write(to, value.mediaId);
    if (value.missing.length > 0) missingNumbers.write(to, value.missing);
  },
};

/** Result: 0 done, 1 failed, 2 no such channel. Ids only with result 0. */
interface TakePictureReply {
  readonly replySerial: number;
  readonly result: number;
  readonly mediaIds: readonly number[];
}

const mediaIds = counted(u16, u32);

const takePictureReply: Field<TakePictureReply> = {
  read(from) {
    const replySerial = u16.read(from);
    const result = u8.read(from);
    // Without a count the pictures were taken all the same: the result says so.
    return { replySerial, result, mediaIds: result === 0 && from.remaining > 0 ? mediaIds.read(from) : [] };
  },
  write(to, value) {
    u16.write(to, value.replySerial);
    u8.write(to, value.result);
    if (value.result === 0) mediaIds.write(to, value.mediaIds);
  },
};

const pictureFields = {
  channel: u8,
  /** 0 stop, 0xFFFF record video, else how many pictures. */
  command: u16,
  /** Between pictures, or of the recording. */
  seconds: u16,
  /** 0 upload, 1 store. */
  save: u8,
  /** 1: 320x240, 2: 640x480, 3: 800x600, 4: 1024x768, 5: QCIF, 6: CIF, 7: half D1, 8: D1; 2019 also 0 lowest, 0xFF highest. */
  resolution: u8,
  /** 1 to 10, 1 the best. */
  quality: u8,
  brightness: u8,
  contrast: u8,
  saturation: u8,
  chroma: u8,
};

const takePicture = layout(pictureFields);

/** Times undefined: no limit. */
const searchFields = { type: u8, channel: u8, event: u8, start: localTime, end: localTime };

export const mediaMessages = {
  mediaEvent: layout(mediaFields),
  mediaUpload,
  mediaUploadReply,
  takePicture,
  takePictureReply,
  searchMedia: layout(searchFields),
  searchMediaReply: layout({ replySerial: u16, items: counted(u16, storedMedia) }),
  /** `remove`: 0 keep, 1 delete after the upload. */
  uploadStoredMedia: layout({ ...searchFields, remove: u8 }),
  uploadOneMedia: layout({ mediaId: u32, remove: u8 }),
  /** Command: 0 stop, 1 start. Save: 0 upload, 1 store. Rate: 0: 8, 1: 11, 2: 23, 3: 32 kHz. */
  recordAudio: layout({ command: u8, seconds: u16, save: u8, rate: u8 }),
};
