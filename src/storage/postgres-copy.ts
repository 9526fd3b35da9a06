import pg from 'pg';

/** What the types of `pg` do not declare. */
interface CopyConnection extends pg.Connection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/**
 * A `copy … from stdin` whose rows are sent with the statement, in one round trip. If the statement fails, the server
 * drops them.
 */
class CopyQuery extends pg.Query {
  readonly #statement: string;
  readonly #data: Buffer;

  constructor(statement: string, data: Buffer, callback: (error: Error | undefined) => void) {
    super(statement, callback);
    this.#statement = statement;
    this.#data = data;
  }

  override submit = (connection: pg.Connection): void => {
    const copying = connection as CopyConnection;
    copying.stream.cork();
    copying.query(this.#statement);
    copying.sendCopyFromChunk(this.#data);
    copying.endCopyFrom();
    copying.stream.uncork();
  };

  /** Called when the server waits for the rows, which it has by then. */
  handleCopyInResponse(): void {}
}

export function copyRows(client: pg.ClientBase, statement: string, data: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(new CopyQuery(statement, data, (error) => (error ? reject(error) : resolve())));
  });
}
