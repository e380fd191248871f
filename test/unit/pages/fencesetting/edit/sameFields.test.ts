import { expect, it } from 'vitest';
import { newFence } from '../../../../../pages/innerpage/fencesetting/edit/fenceForm.ts';
import { hasSameFields, type SeenForm } from '../../../../../pages/innerpage/fencesetting/edit/sameFields.ts';

const VALUES = newFence('circle');

function form(changes: Partial<SeenForm['values']> = {}, problems: Readonly<Record<string, string>> = {}): SeenForm {
  const field = (name: string) => ({ problem: problems[name] });
  return { values: { ...VALUES, ...changes }, isSaving: false, field: field as never };
}

it('a section looks as before whatever happens to the fields of others', () => {
  const other = form({ name: 'Depot' }, { name: 'There is one of this name.' });
  expect(hasSameFields(form(), other, ['devices', 'deviceGroups'])).toBe(true);
});

it('a section is drawn again when one of its values or problems changes, or when saving begins', () => {
  expect(hasSameFields(form(), form({ devices: ['BUS'] }), ['devices'])).toBe(false);
  expect(hasSameFields(form(), form({}, { devices: 'One of them is gone.' }), ['devices'])).toBe(false);
  expect(hasSameFields(form(), { ...form(), isSaving: true }, ['devices'])).toBe(false);
});
