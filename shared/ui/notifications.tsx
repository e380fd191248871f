// Transient notifications: four kinds, gone after five seconds or a click.
import CheckCircle from '@mui/icons-material/CheckCircleOutlined';
import ErrorIcon from '@mui/icons-material/ErrorOutlineOutlined';
import Info from '@mui/icons-material/InfoOutlined';
import Warning from '@mui/icons-material/WarningAmberOutlined';
import { type CustomContentProps, closeSnackbar, enqueueSnackbar, SnackbarContent, SnackbarProvider } from 'notistack';
import { forwardRef, type ReactNode } from 'react';
import type { ApiFailure } from '../api/client.ts';
import { errorText } from '../i18n/errorText.ts';

export type NotificationKind = 'info' | 'success' | 'warning' | 'error';

const NOTIFICATION_MS = 5_000;
const NOTIFICATION_TRANSITION_MS = 400;
const MAX_AT_ONCE = 4;

/** Shows a text, already translated, to the user. */
export function notify(kind: NotificationKind, text: string): void {
  enqueueSnackbar(text, { variant: kind });
}

/** A failed call that nothing else on the page reports: a warning if another user was first, otherwise an error. */
export function notifyFailure(failure: ApiFailure): void {
  const text = errorText(failure);
  if (text !== undefined) notify(isConflict(failure) ? 'warning' : 'error', text);
}

/** Other refusals of a record as it now is come with a code of their own. */
function isConflict(failure: ApiFailure): boolean {
  return failure.kind === 'http' && failure.status === 409 && (failure.code ?? 'conflict') === 'conflict';
}

const ICONS = { info: Info, success: CheckCircle, warning: Warning, error: ErrorIcon } as const;
// White text on each of these is above 4.5:1, which the library's own colours are not.
const BACKGROUNDS = { info: '#1a5fb4', success: '#1d6b34', warning: '#8a4b00', error: '#b3261e' } as const;

const Notification = forwardRef<HTMLDivElement, CustomContentProps>(function Notification(props, ref) {
  const { id, message, variant, className, style } = props;
  const kind = variant === 'default' ? 'info' : variant;
  const Icon = ICONS[kind];
  return (
    <SnackbarContent
      ref={ref}
      role={kind === 'error' || kind === 'warning' ? 'alert' : 'status'}
      data-kind={kind}
      className={className ?? ''}
      onClick={() => closeSnackbar(id)}
      style={{ ...style, ...BOX, backgroundColor: BACKGROUNDS[kind] }}
    >
      <Icon fontSize="small" aria-hidden="true" />
      <span>{message}</span>
    </SnackbarContent>
  );
});

const BOX = {
  display: 'flex',
  flexWrap: 'nowrap',
  alignItems: 'flex-start',
  gap: 10,
  maxWidth: 440,
  padding: '10px 16px',
  borderRadius: 6,
  color: '#ffffff',
  fontSize: 14,
  lineHeight: 1.45,
  overflowWrap: 'anywhere',
  boxShadow: '0 4px 16px rgb(0 0 0 / 30%)',
  cursor: 'pointer',
} as const;

const COMPONENTS = { info: Notification, success: Notification, warning: Notification, error: Notification };

/** Mounted once a page, around everything that notifies. */
export function Notifications({ children }: { readonly children: ReactNode }) {
  return (
    <SnackbarProvider
      maxSnack={MAX_AT_ONCE}
      autoHideDuration={NOTIFICATION_MS}
      transitionDuration={{ enter: NOTIFICATION_TRANSITION_MS, exit: NOTIFICATION_TRANSITION_MS }}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
      Components={COMPONENTS}
    >
      {children}
    </SnackbarProvider>
  );
}
