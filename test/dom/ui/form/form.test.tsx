import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import { type ApiResult, requestJson } from '../../../../shared/api/client.ts';
import { ConflictDialog } from '../../../../shared/ui/form/ConflictDialog.tsx';
import { FormDialog } from '../../../../shared/ui/form/FormDialog.tsx';
import { LeaveDialog } from '../../../../shared/ui/form/LeaveDialog.tsx';
import { NumberInput } from '../../../../shared/ui/form/NumberInput.tsx';
import { TextInput } from '../../../../shared/ui/form/TextInput.tsx';
import { hasUnsaved } from '../../../../shared/ui/form/unsaved.ts';
import { useForm } from '../../../../shared/ui/form/useForm.ts';
import { planGateway, renderPage, watchWarnings } from '../../../support/browser/renderPage.tsx';
import { json } from '../../../support/fakes/fakeGateway.ts';

interface Truck {
  readonly name: string;
  readonly days: number | null;
}

const onClose = vi.fn();
const onSaved = vi.fn();

function TruckForm() {
  const form = useForm<Truck>({
    initial: { name: '', days: 30 },
    check: ({ name, days }) => ({
      name: name === '' ? 'Give it a name.' : undefined,
      days: Number.isNaN(days) ? 'A number.' : undefined,
    }),
  });
  const current = form.conflict as Truck | undefined;
  const save = async () => {
    const put = (body: Truck): Promise<ApiResult<unknown>> => requestJson('/api/truck', { method: 'PUT', body });
    if ((await form.submit(put)) !== undefined) onSaved();
  };
  return (
    <>
      <FormDialog title="Truck" form={form} onSubmit={() => void save()} onClose={onClose}>
        <TextInput field={form.field('name')} label="Name" hint="As on its door." required />
        <NumberInput field={form.field('days')} label="Days" />
      </FormDialog>
      {current !== undefined && (
        <ConflictDialog
          versions={{ base: form.base, mine: form.values, theirs: current }}
          fields={[
            { name: 'name', label: 'Name', show: ({ name }) => name },
            { name: 'days', label: 'Days', show: ({ days }) => String(days) },
          ]}
          onChoose={(values) => form.rebase(current, values)}
          onClose={form.dismissConflict}
        />
      )}
      <LeaveDialog />
    </>
  );
}

async function openForm() {
  onClose.mockClear();
  onSaved.mockClear();
  watchWarnings();
  const gateway = planGateway();
  await renderPage(<TruckForm />);
  const user = userEvent.setup();
  const name = screen.getByLabelText(/^Name/);
  const save = () => user.click(screen.getByRole('button', { name: 'Save' }));
  return { gateway, user, name, save };
}

const textBeside = (field: HTMLElement) =>
  document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent;

describe('a form', () => {
  test('says beside the field what is wrong with it, once it was left, and puts the focus there when saving', async () => {
    const { user, name, save } = await openForm();
    expect(textBeside(name)).toBe('As on its door.');
    await user.click(name);
    await user.tab();
    expect(textBeside(name)).toBe('Give it a name.');
    const days = screen.getByLabelText('Days');
    await user.clear(days);
    await user.type(days, '3x');
    await save();
    expect(textBeside(days)).toBe('A number.');
    expect(document.activeElement).toBe(name);
    await user.type(name, 'T');
    expect(textBeside(name)).toBe('As on its door.');
    expect(onSaved).not.toHaveBeenCalled();
  });

  test('takes digits as an input method writes them', async () => {
    const { gateway, user, name, save } = await openForm();
    gateway.on('PUT /api/truck', { error: false, data: {} });
    await user.type(name, 'T');
    const days = screen.getByLabelText('Days');
    await user.clear(days);
    await user.type(days, '４５');
    await save();
    await waitFor(() => expect(onSaved).toHaveBeenCalledOnce());
    expect(gateway.callsOf('/api/truck')[0]?.body).toEqual({ name: 'T', days: 45 });
    await waitFor(() => expect(hasUnsaved()).toBe(false));
  });

  test("shows the gateway's refusal beside its field until the field changes, and keeps what was typed", async () => {
    const { gateway, user, name, save } = await openForm();
    gateway.on('PUT /api/truck', () =>
      json({ error: true, code: 'bad-fields', message: 'no', data: { fields: { name: 'taken' } } }, { status: 422 }),
    );
    await user.type(name, 'Truck 7');
    await save();
    await waitFor(() => expect(textBeside(name)).toBe('Already in use. Enter another value.'));
    await waitFor(() => expect(document.activeElement).toBe(name));
    expect(screen.queryByRole('alert')).toBeNull();
    await user.type(name, '8');
    expect(textBeside(name)).toBe('As on its door.');
    expect((name as HTMLInputElement).value).toBe('Truck 78');
  });

  test('says above the fields what no field is the matter with, in words', async () => {
    const { gateway, user, name, save } = await openForm();
    gateway.on('PUT /api/truck', () => new TypeError('Failed to fetch'));
    await user.type(name, 'T');
    await save();
    expect((await screen.findByRole('alert')).textContent).toContain(
      "Can't reach the server. Check your network and try again.",
    );
    gateway.on('PUT /api/truck', () =>
      json(
        { error: true, code: 'bad-fields', message: 'no', data: { fields: { weight: 'required' } } },
        { status: 422 },
      ),
    );
    await save();
    const told = 'Check the marked fields.';
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe(told));
    expect((name as HTMLInputElement).value).toBe('T');
  });

  test('says so when somebody else saved first, and saves what the user chose of both', async () => {
    const { gateway, user, name, save } = await openForm();
    const current = { name: 'Ship', days: 90 };
    gateway.on('PUT /api/truck', () =>
      json({ error: true, code: 'conflict', message: 'no', data: { current } }, { status: 409 }),
    );
    await user.type(name, 'Bus');
    await save();
    const dialog = await screen.findByRole('dialog', { name: 'Another user changed this' });
    const choices = within(dialog).getAllByRole('radio') as HTMLInputElement[];
    expect(choices.map(({ checked }) => checked)).toEqual([true, false, false, true]);
    expect(dialog.textContent).toContain('Theirs: 90 (was 30)');
    expect(dialog.textContent).toContain('Theirs: Ship (was –)');
    await user.click(within(dialog).getByRole('button', { name: 'Continue' }));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: /Another user/ })).toBeNull());
    gateway.on('PUT /api/truck', { error: false, data: {} });
    await save();
    await waitFor(() => expect(gateway.callsOf('/api/truck')[1]?.body).toEqual({ name: 'Bus', days: 90 }));
  });
});

describe('leaving with unsaved changes', () => {
  test('asks first, and stays or goes as it is told', async () => {
    const { user, name } = await openForm();
    await user.type(name, 'T');
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(onClose).not.toHaveBeenCalled();
    const question = screen.getByRole('alertdialog', { name: 'Leave without saving?' });
    expect(document.activeElement?.textContent).toBe('Cancel');
    await user.click(within(question).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect((name as HTMLInputElement).value).toBe('T');
    await user.keyboard('{Escape}');
    await user.click(screen.getByRole('button', { name: 'Leave' }));
    expect(onClose).toHaveBeenCalledOnce();
  });

  test('asks nothing when there are none', async () => {
    const { user, name } = await openForm();
    await user.type(name, 'T');
    await user.clear(name);
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(onClose).toHaveBeenCalledOnce();
  });

  test('of the browser is asked about too, and told to the shell, as long as there are some', async () => {
    const { user, name } = await openForm();
    const leave = () => {
      const event = new Event('beforeunload', { cancelable: true });
      window.dispatchEvent(event);
      return event.defaultPrevented;
    };
    const mark = () => document.documentElement.hasAttribute('data-unsaved');
    expect([leave(), mark()]).toEqual([false, false]);
    await user.type(name, 'T');
    expect([leave(), mark()]).toEqual([true, true]);
    await user.clear(name);
    expect([leave(), mark()]).toEqual([false, false]);
  });
});
