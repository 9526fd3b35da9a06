import {
  type BinaryOperationNode,
  ColumnNode,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type OperationNode,
  OperatorNode,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  PrimitiveValueListNode,
  type QueryResult,
  ReferenceNode,
} from 'kysely';
import type pg from 'pg';
import type { Tables } from './tables.ts';

type Ask = (text: string, values: readonly unknown[]) => Promise<pg.QueryResult>;

/** Queries by Kysely, each of which `ask` runs. */
export function kyselyOn(ask: Ask, destroy: () => Promise<void> = async () => {}): Kysely<Tables> {
  const connection: DatabaseConnection = {
    async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
      const { command, rowCount, rows } = await ask(sql, parameters);
      return CHANGES.has(command) ? { numAffectedRows: BigInt(rowCount ?? 0), rows } : { rows };
    },
    streamQuery() {
      throw new Error('rows are not streamed');
    },
  };
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction: refuseTransaction,
    commitTransaction: refuseTransaction,
    rollbackTransaction: refuseTransaction,
    releaseConnection: async () => {},
    destroy,
  };
  const dialect: Dialect = {
    createDriver: () => driver,
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new ListCompiler(),
  };
  return new Kysely<Tables>({ dialect });
}

const CHANGES: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

async function refuseTransaction(): Promise<never> {
  throw new Error('transactions are those of the storage');
}

/**
 * Passes a list as one parameter, so that statements have the same text whatever its length and can be prepared. IDs are
 * joined, so that each is looked for in its own partition only.
 */
class ListCompiler extends PostgresQueryCompiler {
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const { leftOperand, operator, rightOperand } = node;
    if (!OperatorNode.is(operator) || operator.operator !== 'in' || !PrimitiveValueListNode.is(rightOperand)) {
      super.visitBinaryOperation(node);
      return;
    }
    const { values } = rightOperand;
    const isJoined = isId(leftOperand) && values.every((value) => typeof value === 'number');
    this.visitNode(leftOperand);
    this.append(isJoined ? ' in (select unnest(' : ' = any(');
    this.appendValue(values);
    this.append(isJoined ? '::bigint[]))' : ')');
  }
}

function isId(node: OperationNode): boolean {
  return ReferenceNode.is(node) && ColumnNode.is(node.column) && node.column.column.name === 'id';
}
