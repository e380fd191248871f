import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { type ReactNode, type SubmitEvent, useEffect, useRef } from 'react';

export interface FormBoxProps {
  readonly form: { readonly stops: number; readonly failure: string | undefined };
  readonly onSubmit: () => void;
  readonly children: ReactNode;
  /** For a submit button outside, in a dialog's row of buttons. */
  readonly id?: string;
}

/** The form element: says what went wrong above the fields, and puts the focus where saving stopped. */
export function FormBox({ form, onSubmit, children, id }: FormBoxProps) {
  const box = useRef<HTMLFormElement>(null);
  const { stops, failure } = form;
  useEffect(() => {
    if (stops > 0) box.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [stops]);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    // A dialog stands in the page's tree of components: its form's event must not reach a form around it.
    event.stopPropagation();
    onSubmit();
  };
  return (
    <Box component="form" ref={box} id={id} noValidate onSubmit={submit} sx={FIELDS}>
      {failure !== undefined && <Alert severity="error">{failure}</Alert>}
      {children}
    </Box>
  );
}

// The columns may become narrower than their content, or a long value would widen the page.
const FIELDS = { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2, pt: 1 } as const;
