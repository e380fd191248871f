// The file of a new image on its way to the gateway, while the rest of the form is typed.
import { useEffect, useRef, useState } from 'react';
import { UploadFailed, uploadFile } from '../../../../shared/api/uploads.ts';
import { errorText } from '../../../../shared/i18n/errorText.ts';

export type UploadState =
  | { readonly kind: 'none' }
  | { readonly kind: 'running'; readonly file: File; readonly bytes: number }
  /** `problem` is undefined for the user's own pause. */
  | { readonly kind: 'paused'; readonly file: File; readonly bytes: number; readonly problem: string | undefined }
  | { readonly kind: 'done'; readonly file: File; readonly upload: string };

export interface FileUpload {
  readonly state: UploadState;
  readonly start: (file: File) => void;
  readonly pause: () => void;
  /** Goes on where it stopped. */
  readonly resume: () => void;
  readonly cancel: () => void;
}

/** `onUploaded` is told the upload's id, '' while there is none. */
export function useUpload(onUploaded: (upload: string) => void): FileUpload {
  const [state, setState] = useState<UploadState>({ kind: 'none' });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const run = async (file: File, bytes: number) => {
    running.current?.abort();
    const own = new AbortController();
    running.current = own;
    // An upload that has been paused, canceled or replaced reports its end late.
    const show = (next: UploadState) => {
      if (running.current === own) setState(next);
    };
    setState({ kind: 'running', file, bytes });
    let reached = bytes;
    try {
      const upload = await uploadFile(file, 'firmware', {
        signal: own.signal,
        onProgress: (next) => {
          reached = next;
          show({ kind: 'running', file, bytes: next });
        },
      });
      if (running.current !== own) return;
      show({ kind: 'done', file, upload: upload.id });
      onUploaded(upload.id);
    } catch (error) {
      if (!(error instanceof UploadFailed)) throw error;
      show({ kind: 'paused', file, bytes: reached, problem: errorText(error.failure) });
    }
  };
  const stop = (next: UploadState) => {
    running.current?.abort();
    running.current = undefined;
    setState(next);
  };
  return {
    state,
    start: (file) => {
      onUploaded('');
      void run(file, 0);
    },
    pause: () => {
      if (state.kind === 'running') stop({ ...state, kind: 'paused', problem: undefined });
    },
    resume: () => {
      if (state.kind === 'paused') void run(state.file, state.bytes);
    },
    cancel: () => {
      stop({ kind: 'none' });
      onUploaded('');
    },
  };
}
