/** A call from one process to another, over the channel of a child process. */
interface Call {
  call: string;
  id: number;
  args: unknown[];
}

interface Answer {
  answer: number;
  value?: unknown;
  /** Set if the call failed. */
  error?: string;
}

/** The functions that one process offers to another. */
export type Offer = Readonly<Record<string, (...args: never[]) => unknown>>;

/** Calls one of the functions that the other process offers. */
export type Ask = (call: string, ...args: unknown[]) => Promise<unknown>;

interface Channel {
  send(message: Call | Answer): void;
  onMessage(listener: (message: unknown) => void): void;
}

/** Offers functions to the process at the other end of a channel, and returns how to call those that it offers. */
export function connect(channel: Channel, offer: Offer): Ask {
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let last = 0;
  channel.onMessage((message) => {
    if (isAnswer(message)) {
      const caller = waiting.get(message.answer);
      waiting.delete(message.answer);
      if (message.error === undefined) caller?.resolve(message.value);
      else caller?.reject(new Error(message.error));
    } else if (isCall(message)) {
      void answerCall(offer, message).then((answer) => channel.send(answer));
    }
  });
  return (call, ...args) =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve, reject });
      channel.send({ call, id: last, args });
    });
}

async function answerCall(offer: Offer, { call, id, args }: Call): Promise<Answer> {
  try {
    const offered = offer[call];
    if (offered === undefined) throw new Error(`no process offers ${call}`);
    return { answer: id, value: await offered(...(args as never[])) };
  } catch (error) {
    return { answer: id, error: error instanceof Error ? error.message : String(error) };
  }
}

const isAnswer = (message: unknown): message is Answer => typeof (message as Partial<Answer>)?.answer === 'number';
const isCall = (message: unknown): message is Call => typeof (message as Partial<Call>)?.call === 'string';
