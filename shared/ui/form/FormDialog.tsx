import Dialog from '@mui/material/Dialog';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { type ReactNode, useId } from 'react';
import { useIsNarrow } from '../useIsNarrow.ts';
import { FormBox } from './FormBox.tsx';
import { SaveRow } from './SaveRow.tsx';
import { leaveAfterAsking } from './unsaved.ts';
import type { Form } from './useForm.ts';

export interface FormDialogProps<Values> {
  readonly title: string;
  readonly form: Form<Values>;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Instead of "Save". */
  readonly saveLabel?: string;
  /** Whether there is something to save although nothing was changed. */
  readonly always?: boolean;
  readonly maxWidth?: 'xs' | 'sm' | 'md' | 'lg';
  /** What else can be done with the record, away from saving it. */
  readonly aside?: ReactNode;
}

/** A form in a dialog. Closing it asks first when something was typed; on a narrow window it takes all of it. */
export function FormDialog<Values>(props: FormDialogProps<Values>) {
  const { title, form, onSubmit, onClose, children, saveLabel, always = false, maxWidth = 'sm', aside } = props;
  const titleId = useId();
  const isNarrow = useIsNarrow();
  const close = () => leaveAfterAsking(onClose, () => form.isDirty);
  return (
    <Dialog open fullWidth fullScreen={isNarrow} maxWidth={maxWidth} onClose={close} aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{title}</DialogTitle>
      <DialogContent>
        <FormBox form={form} onSubmit={onSubmit}>
          {children}
          <SaveRow
            form={form}
            always={always}
            onCancel={close}
            {...(saveLabel === undefined ? {} : { label: saveLabel })}
          >
            {aside}
          </SaveRow>
        </FormBox>
      </DialogContent>
    </Dialog>
  );
}
