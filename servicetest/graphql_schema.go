package servicetest

// GraphQLSchema is the part of the GraphQL API's schema that a Service offers.
// Documents have operations with fields, arguments, variables and aliases. Fragments,
// directives, subscriptions, introspection other than __typename, and a field that
// occurs twice in a selection without an alias are not supported. Of the types of
// variables, only "!" is checked.
//
// Connections have at most 100 items a page. Pipelines and jobs come newest first.
// Statuses are in upper case. Anything that the caller may not see is null.
//
// Work items are the issues of projects and the epics of groups. WorkItem.features has one
// field for each widget, and is null where the type does not have it. The Free edition does not
// know the widgets weight, healthStatus, iteration, status, color and progress, the filters of
// these, and rules for target branches. Statuses, progress, custom fields, contacts, and types
// other than Issue, Incident, Task, Test Case and Epic do not exist here. The inputs of
// mutations of work items are those of the product.
//
// An operation may have a complexity of at most 250, of 300 for administrators and of 200
// without a credential: each field counts as one, and each item that a connection may have adds
// a hundredth of the connection.
const GraphQLSchema = `
type Query {
  accessTokenPermissions: [AccessTokenPermission]
  currentUser: User
  echo(text: String!): String
  group(fullPath: ID!): Group
  namespace(fullPath: ID!): Namespace
  project(fullPath: ID!): Project
  projects(after: String, before: String, first: Int, last: Int): ProjectConnection
}

type Mutation {
  jobCancel(input: JobInput!): JobPayload
  jobRetry(input: JobInput!): JobPayload
  projectTargetBranchRuleCreate(input: ProjectTargetBranchRuleCreateInput!): ProjectTargetBranchRuleCreatePayload
  projectTargetBranchRuleDestroy(input: ProjectTargetBranchRuleDestroyInput!): ProjectTargetBranchRuleDestroyPayload
  workItemCreate(input: WorkItemCreateInput!): WorkItemCreatePayload
  workItemDelete(input: WorkItemDeleteInput!): WorkItemDeletePayload
  workItemUpdate(input: WorkItemUpdateInput!): WorkItemUpdatePayload
}

input JobInput {
  clientMutationId: String
  id: ID!
}

type AccessTokenPermission {
  action: String
  boundaries: [String]
  category: String
  categoryName: String
  description: String
  name: String
  resource: String
  resourceDescription: String
  resourceName: String
}

type User {
  avatarUrl: String
  bot: Boolean
  createdAt: Time
  groupCount: Int
  id: ID
  name: String
  namespace: Namespace
  publicEmail: String
  state: String
  username: String
  webUrl: String
}

type Namespace {
  fullPath: ID
  id: ID
  name: String
  path: String
  workItem(iid: String!): WorkItem
  workItemTypes(after: String, before: String, first: Int, last: Int, name: IssueType, onlyAvailable:
    Boolean): WorkItemTypeConnection
  workItems(after: String, assigneeUsernames: [String!], assigneeWildcardId: AssigneeWildcardId,
    authorUsername: String, before: String, closedAfter: Time, closedBefore: Time,
    confidential: Boolean, createdAfter: Time, createdBefore: Time, dueAfter: Time,
    dueBefore: Time, excludeGroupWorkItems: Boolean, excludeProjects: Boolean, first: Int,
    healthStatusFilter: HealthStatusFilter, ids: [WorkItemID!], iid: String, iids:
    [String!], in: [IssuableSearchableField!], includeDescendants: Boolean, iterationId:
    [ID], iterationWildcardId: IterationWildcardId, labelName: [String!], last: Int,
    milestoneTitle: [String!], milestoneWildcardId: MilestoneWildcardId, myReactionEmoji:
    String, not: NegatedWorkItemFilterInput, or: UnionedWorkItemFilterInput, parentIds:
    [WorkItemID!], parentWildcardId: WorkItemParentWildcardId, search: String, sort:
    WorkItemSort, state: IssuableState, subscribed: SubscriptionStatus, timeframe:
    Timeframe, types: [IssueType!], updatedAfter: Time, updatedBefore: Time, weight: String,
    weightWildcardId: WeightWildcardId): WorkItemConnection
}

type Group {
  description: String
  fullPath: ID
  id: ID
  name: String
  parent: Group
  projects(after: String, before: String, first: Int, last: Int): ProjectConnection
  visibility: String
  webUrl: String
}

type Project {
  archived: Boolean
  createdAt: Time
  description: String
  fullPath: ID
  group: Group
  id: ID
  jobs(after: String, before: String, first: Int, last: Int, statuses: [String]): JobConnection
  name: String
  pipelines(after: String, before: String, first: Int, last: Int, ref: String, status: String): PipelineConnection
  targetBranchRules(after: String, before: String, first: Int, last: Int): ProjectTargetBranchRuleConnection
  terraformState(name: String!): TerraformState
  terraformStates(after: String, before: String, first: Int, last: Int): TerraformStateConnection
  visibility: String
  webUrl: String
}

type Pipeline {
  createdAt: Time
  id: ID
  jobs(after: String, before: String, first: Int, last: Int, statuses: [String]): JobConnection
  project: Project
  ref: String
  sha: String
  status: String
  updatedAt: Time
  user: User
}

type Job {
  allowFailure: Boolean
  createdAt: Time
  finishedAt: Time
  id: ID
  name: String
  pipeline: Pipeline
  stage: String
  startedAt: Time
  status: String
}

type JobPayload {
  clientMutationId: ID
  errors: [String]
  job: Job
}

type WorkItem {
  author: User
  closedAt: Time
  confidential: Boolean
  createdAt: Time
  description: String
  features: WorkItemFeatures
  id: ID
  iid: String
  lockVersion: Int
  namespace: Namespace
  state: String
  title: String
  updatedAt: Time
  webUrl: String
  workItemType: WorkItemType
}

type WorkItemType {
  enabled: Boolean
  id: ID
  name: String
}

type WorkItemFeatures {
  assignees: WorkItemAssignees
  awardEmoji: WorkItemAwardEmoji
  color: WorkItemColor
  healthStatus: WorkItemHealthStatus
  hierarchy: WorkItemHierarchy
  iteration: WorkItemIteration
  labels: WorkItemLabels
  linkedItems: WorkItemLinkedItems
  milestone: WorkItemMilestone
  notes: WorkItemNotes
  notifications: WorkItemNotifications
  progress: WorkItemProgress
  startAndDueDate: WorkItemStartAndDueDate
  status: WorkItemStatus
  timeTracking: WorkItemTimeTracking
  weight: WorkItemWeight
}

type Iteration {
  dueDate: Date
  id: ID
  startDate: Date
  title: String
}

type Label {
  color: String
  description: String
  descriptionHtml: String
  id: ID
  textColor: String
  title: String
}

type LinkedWorkItem {
  linkId: ID
  linkType: String
  workItem: WorkItem
}

type Milestone {
  dueDate: Date
  id: ID
  iid: String
  state: String
  title: String
}

type ProjectTargetBranchRule {
  createdAt: Time
  id: ID
  name: String
  targetBranch: String
}

type ProjectTargetBranchRuleCreatePayload {
  clientMutationId: ID
  errors: [String]
  targetBranchRule: ProjectTargetBranchRule
}

type ProjectTargetBranchRuleDestroyPayload {
  clientMutationId: ID
  errors: [String]
}

type TerraformJob {
  id: ID
}

type TerraformState {
  createdAt: Time
  deletedAt: Time
  id: ID
  latestVersion: TerraformStateVersion
  lockedAt: Time
  lockedByUser: User
  name: String
  updatedAt: Time
}

type TerraformStateVersion {
  createdAt: Time
  createdByUser: User
  downloadPath: String
  id: ID
  job: TerraformJob
  serial: Int
  updatedAt: Time
}

type WorkItemAssignees {
  assignees(after: String, before: String, first: Int, last: Int): UserConnection
}

type WorkItemAwardEmoji {
  downvotes: Int
  upvotes: Int
}

type WorkItemColor {
  color: String
  textColor: String
}

type WorkItemCreatePayload {
  clientMutationId: ID
  errors: [String]
  workItem: WorkItem
}

type WorkItemDeletePayload {
  clientMutationId: ID
  errors: [String]
  namespace: Namespace
}

type WorkItemHealthStatus {
  healthStatus: String
}

type WorkItemHierarchy {
  children(after: String, before: String, first: Int, last: Int): WorkItemConnection
  hasChildren: Boolean
  hasParent: Boolean
  parent: WorkItem
}

type WorkItemIteration {
  iteration: Iteration
}

type WorkItemLabels {
  labels(after: String, before: String, first: Int, last: Int): LabelConnection
}

type WorkItemLinkedItems {
  blocked: Boolean
  blockedByCount: Int
  blockingCount: Int
  linkedItems(after: String, before: String, first: Int, last: Int): LinkedWorkItemConnection
}

type WorkItemMilestone {
  milestone: Milestone
}

type WorkItemNotes {
  discussionLocked: Boolean
}

type WorkItemNotifications {
  subscribed: Boolean
}

type WorkItemProgress {
  currentValue: Int
  endValue: Int
  progress: Int
  startValue: Int
}

type WorkItemStartAndDueDate {
  dueDate: Date
  isFixed: Boolean
  startDate: Date
}

type WorkItemStatus {
  status: WorkItemStatusValue
}

type WorkItemStatusValue {
  category: String
  color: String
  id: ID
  name: String
}

type WorkItemTimeTracking {
  timeEstimate: Int
  totalTimeSpent: Int
}

type WorkItemUpdatePayload {
  clientMutationId: ID
  errors: [String]
  workItem: WorkItem
}

type WorkItemWeight {
  weight: Int
}

type JobConnection {
  count: Int
  edges: [JobEdge]
  nodes: [Job]
  pageInfo: PageInfo
}

type JobEdge {
  cursor: String
  node: Job
}

type PageInfo {
  endCursor: String
  hasNextPage: Boolean
  hasPreviousPage: Boolean
  startCursor: String
}

# All other connections and edges are like those of jobs.
`
