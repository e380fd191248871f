import type { BeginFault } from '../../uploads/uploadRules.ts';
import type { TakeFault } from '../../uploads/uploads.ts';
import type { Refusal } from '../kernel/envelope.ts';

export const NO_UPLOAD: Refusal = {
  status: 404,
  code: 'no-such-upload',
  message: 'The upload has expired. Upload the file again.',
};

export const UPLOAD_DISK_FULL: Refusal = {
  status: 507,
  code: 'upload-disk-full',
  message: "The server doesn't have enough space for this file. Tell your administrator.",
};

/** The refusal contains the upload's state: the next part begins at its `receivedBytes`. */
export const UPLOAD_MISPLACED: Refusal = {
  status: 409,
  code: 'upload-misplaced',
  message: "This part doesn't follow what the server has received. Upload the file again.",
};

export const SLOW_DOWN: Refusal = {
  status: 429,
  code: 'slow-down',
  message: 'Too many attempts. Wait a moment and try again.',
};

const OF_BEGIN: Readonly<Record<BeginFault, Refusal>> = {
  'too-large': { status: 413, code: 'upload-too-large', message: 'The file is too large.' },
  'too-many': {
    status: 409,
    code: 'too-many-uploads',
    message: 'You have too many unfinished uploads. Finish or cancel one of them first.',
  },
  full: UPLOAD_DISK_FULL,
};

export function refusalOfBegin(reason: BeginFault): Refusal {
  return OF_BEGIN[reason];
}

const OF_TAKING: Readonly<Record<TakeFault, Refusal>> = {
  gone: NO_UPLOAD,
  incomplete: {
    status: 409,
    code: 'upload-incomplete',
    message: "The file hasn't been uploaded completely. Continue the upload.",
  },
  hash: {
    status: 422,
    code: 'upload-damaged',
    message: 'The file was damaged during the upload. Upload it again.',
  },
};

export function refusalOfTaking(reason: TakeFault): Refusal {
  return OF_TAKING[reason];
}
