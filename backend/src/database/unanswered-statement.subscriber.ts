import type pg from 'pg';
import { type AfterQueryEvent, type EntitySubscriberInterface, EventSubscriber } from 'typeorm';

/**
 * Ends a connection whose statement has got no response in time: the statement still runs, and the pool's next one would
 * wait for it. For statements of TypeORM, which returns the connection as if it were idle; after an error of `pool.query`,
 * the pool ends it.
 */
@EventSubscriber()
export class UnansweredStatementSubscriber implements EntitySubscriberInterface {
  async afterQuery({ error, queryRunner }: AfterQueryEvent): Promise<void> {
    if (error?.message !== 'Query read timeout') return;
    const connection: pg.Client = await queryRunner.connect();
    void connection.end();
  }
}
