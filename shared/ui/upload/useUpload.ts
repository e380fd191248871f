// A file on its way to the gateway, while the rest of a form is typed.
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FileUnreadable, UploadFailed, uploadFile } from '../../api/uploads.ts';
import { errorText } from '../../i18n/errorText.ts';
import type { UploadPurpose } from '../../protocol/api/uploads/uploads.ts';
import { HeldUpload } from './heldUpload.ts';

export type UploadState =
  | { readonly kind: 'none' }
  | { readonly kind: 'running'; readonly file: File; readonly bytes: number }
  /** `problem` is undefined for the user's own pause. */
  | { readonly kind: 'paused'; readonly file: File; readonly bytes: number; readonly problem: string | undefined }
  | { readonly kind: 'done'; readonly file: File; readonly upload: string };

export interface FileUpload {
  readonly state: UploadState;
  /** Replaces the file before. */
  readonly start: (file: File) => void;
  readonly pause: () => void;
  /** Goes on where it stopped. */
  readonly resume: () => void;
  readonly cancel: () => void;
  /** The gateway has taken the file over: it is no longer dropped with the dialog. */
  readonly release: () => void;
}

/** `onUploaded` gets the upload's id, '' while there is none. */
export function useUpload(purpose: UploadPurpose, onUploaded: (upload: string) => void): FileUpload {
  const [state, setState] = useState<UploadState>({ kind: 'none' });
  const [held] = useState(() => new HeldUpload());
  const problemText = useProblemText();
  useEffect(() => () => held.leave(), [held]);

  const run = async (file: File, bytes: number) => {
    const { signal, onBegun, isCurrent } = held.run();
    let reached = bytes;
    const onProgress = (next: number) => {
      reached = next;
      if (isCurrent()) setState({ kind: 'running', file, bytes: next });
    };
    setState({ kind: 'running', file, bytes });
    try {
      const upload = await uploadFile(file, purpose, { signal, onBegun, onProgress });
      if (!isCurrent()) return;
      setState({ kind: 'done', file, upload: upload.id });
      onUploaded(upload.id);
    } catch (error) {
      const problem = problemText(error);
      if (!isCurrent()) return;
      held.keep();
      setState({ kind: 'paused', file, bytes: reached, problem });
    }
  };
  const drop = () => {
    held.drop();
    setState({ kind: 'none' });
    onUploaded('');
  };
  return {
    state,
    start: (file) => {
      drop();
      void run(file, 0);
    },
    pause: () => {
      if (state.kind !== 'running') return;
      held.keep();
      setState({ ...state, kind: 'paused', problem: undefined });
    },
    resume: () => {
      if (state.kind === 'paused') void run(state.file, state.bytes);
    },
    cancel: drop,
    release: () => held.release(),
  };
}

/** What an upload was rejected with; anything else is thrown on. */
function useProblemText(): (error: unknown) => string | undefined {
  const { t } = useTranslation('Upload');
  return (error) => {
    if (error instanceof UploadFailed) return errorText(error.failure);
    if (error instanceof FileUnreadable) return t("The file can't be read. Select it again.");
    throw error;
  };
}
