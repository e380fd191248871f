// Text, and the dispatcher's means of the 2013 edition: events, questions, information, phone.
import {
  counted,
  countedText,
  type Field,
  layout,
  paddedText,
  restText,
  tryRead,
  u8,
  u16,
  type Value,
} from '../fields.ts';

interface TextMessage {
  /**
   * Bits that both editions share: 0 urgent, 2 display, 3 speech, 4 advertising screen, 5 CAN fault. The lowest two tell the
   * kind of text.
   */
  readonly flags: number;
  /** 2019 only: 1 notice, 2 service. */
  readonly textType?: number;
  readonly text: string;
}

const text: Field<TextMessage> = {
  read(from) {
    const flags = u8.read(from);
    const textType = from.edition === '2019' ? { textType: u8.read(from) } : {};
    return { flags, ...textType, text: restText.read(from) };
  },
  write(to, value) {
    u8.write(to, value.flags);
    if (to.edition === '2019') u8.write(to, value.textType ?? 1);
    restText.write(to, value.text);
  },
};

const text8 = countedText(u8);
const text16 = countedText(u16);

const events = counted(u8, layout({ id: u8, text: text8 }));
const DELETE_ALL = 0;

interface EventSet {
  /** 0 delete all, 1 replace, 2 append, 3 modify, 4 delete some. */
  readonly type: number;
  readonly events: Value<typeof events>;
}

/** Nothing follows the order to delete all; some senders put a count there. */
const eventSet: Field<EventSet> = {
  read(from) {
    const type = u8.read(from);
    return { type, events: type === DELETE_ALL && from.remaining === 0 ? [] : events.read(from) };
  },
  write(to, value) {
    u8.write(to, value.type);
    if (value.type !== DELETE_ALL) events.write(to, value.events);
  },
};

/** Terminals differ in whether the number has a field of 20 bytes or ends the body. Written padded. */
const PHONE_BYTES = 20;
const paddedPhone = paddedText(PHONE_BYTES);
const phone: Field<string> = {
  read: (from) => (tryRead(paddedPhone, from.peek(), from.edition) ? paddedPhone : restText).read(from),
  write: (to, value) => paddedPhone.write(to, value),
};

export const dispatchMessages = {
  text,
  eventSet,
  eventReport: layout({ id: u8 }),
  question: layout({ flags: u8, question: text8, answers: answers() }),
  questionAnswer: layout({ replySerial: u16, answerId: u8 }),
  informationMenu: layout({ type: u8, items: counted(u8, layout({ type: u8, name: text16 })) }),
  /** `demand`: 0 cancel, 1 wanted. */
  informationDemand: layout({ type: u8, demand: u8 }),
  informationService: layout({ type: u8, text: text16 }),
  /** `listen`: 0 an ordinary call, 1 listening in. */
  callBack: layout({ listen: u8, phone }),
  /** Type: 0 delete all, 1 replace, 2 append, 3 modify. `use`: 1 calling in, 2 out, 3 both. */
  phoneBook: layout({ type: u8, contacts: counted(u8, layout({ use: u8, phone: text8, name: text8 })) }),
};

interface Answer {
  readonly id: number;
  readonly text: string;
}

/** To the body's end: their number is not sent. */
function answers(): Field<readonly Answer[]> {
  const answer = layout({ id: u8, text: text16 });
  return {
    read(from) {
      const read: Answer[] = [];
      while (from.remaining > 0) read.push(answer.read(from));
      return read;
    },
    write(to, value) {
      for (const each of value) answer.write(to, each);
    },
  };
}
