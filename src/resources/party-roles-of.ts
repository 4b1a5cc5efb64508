import { requiredText } from '../internal/arguments.ts';
import { includeTree } from '../jsonapi/include.ts';
import { requestDocument } from '../jsonapi/serialize.ts';
import type { PartyRole, PartyRoleCreate } from '../model/index.ts';
import type { RequestOptions } from '../options.ts';
import type { APIPromise } from '../transport/api-promise.ts';
import { path } from '../transport/endpoint.ts';
import { ResourceOf } from './resource.ts';

const ROLE = { type: 'party_role', defaultTree: includeTree(['party']) } as const;

/** The roles of parties on one record. A service from before November 2026 may not have these endpoints, and responds with 404. */
export class PartyRolesOf extends ResourceOf {
  /**
   * The roles of parties on a record, with the parties.
   *
   * @param id id of the record.
   * @throws {AuthenticationError} for a record of another account.
   * @throws {NotFoundError} if the record does not exist.
   */
  list(id: string, options?: RequestOptions): APIPromise<PartyRole<readonly 'party'[]>[]> {
    return this.fetchArray({
      operation: `${this.owners}.partyRoles.list`,
      ...ROLE,
      path: path`${this.collection}/${id}/party_roles`,
      options,
    });
  }

  /**
   * Gives a party a role. Other parties may have the same role and are not changed. To replace a party, also delete its
   * role. The request is not repeated after a connection error, because the service responds to a repetition with 422.
   *
   * @param id id of the record.
   * @throws {AuthenticationError} for a record or a party of another account.
   * @throws {NotFoundError} if the record does not exist.
   * @throws {ValidationError} if the party already has the role, or if the record cannot have the role. A container
   *   accepts only `pickup_dray_carrier`.
   * @example
   * await client.shipments.partyRoles.create(id, { role: 'consignee', party: { type: 'party', id: partyId } });
   */
  create(id: string, attributes: PartyRoleCreate, options?: RequestOptions): APIPromise<PartyRole<readonly 'party'[]>> {
    const body = () => {
      const document = requestDocument('party_role', attributes, { relationships: ['party'] });
      requiredText('role', attributes.role);
      requiredText('party.id', attributes.party?.id);
      return document;
    };
    return this.fetchOne({
      operation: `${this.owners}.partyRoles.create`,
      ...ROLE,
      method: 'POST',
      path: path`${this.collection}/${id}/party_roles`,
      body,
      options,
    });
  }

  /**
   * Takes a role from a party. The party itself is not deleted.
   *
   * @param id id of the record.
   * @param role id of the role, from `list`.
   * @throws {AuthenticationError} for a record of another account.
   * @throws {NotFoundError} if the record or role does not exist.
   */
  delete(id: string, role: string, options?: RequestOptions): APIPromise<void> {
    return this.send({
      operation: `${this.owners}.partyRoles.delete`,
      method: 'DELETE',
      path: path`${this.collection}/${id}/party_roles/${role}`,
      options,
    });
  }
}
