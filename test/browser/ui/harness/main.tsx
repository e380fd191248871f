// A page whose top bar has a search, as those to come have: until then a test stands in for them.
import { useState } from 'react';
import { mountPage } from '../../../../shared/ui/mountPage.tsx';
import { TopBar } from '../../../../shared/ui/TopBar.tsx';

const ROWS = ['abacus', 'abbey', 'acorn'];
const GIVEN = 'acorn';

function Searchable() {
  const [given, setGiven] = useState<string>();
  const [wanted, setWanted] = useState('');
  return (
    <>
      <TopBar search={{ text: given, onSearch: setWanted }} />
      <main>
        <button type="button" onClick={() => setGiven(GIVEN)}>
          {GIVEN}
        </button>
        <ul>
          {ROWS.filter((row) => row.includes(wanted)).map((row) => (
            <li key={row}>{row}</li>
          ))}
        </ul>
      </main>
    </>
  );
}

await mountPage(<Searchable />, []);
