#!/usr/bin/env python3
"""Makes moto verify signatures, and writes credentials for it: temporary_credentials.py URL FILE.

The file gets the profiles `lasting`, of a user, and `temporary`, of a role with a session token. Both may
do everything in S3.
"""
import json, pathlib, sys, urllib.request
import boto3

url, file = sys.argv[1], pathlib.Path(sys.argv[2])
access = {"endpoint_url": url, "region_name": "us-east-1", "aws_access_key_id": "a", "aws_secret_access_key": "b"}
iam, sts = boto3.client("iam", **access), boto3.client("sts", **access)


def document(**statement):
    return json.dumps({"Version": "2012-10-17", "Statement": [{"Effect": "Allow", **statement}]})


everything = document(Action="s3:*", Resource="*")
iam.create_user(UserName="publisher")
iam.put_user_policy(UserName="publisher", PolicyName="all", PolicyDocument=everything)
lasting = iam.create_access_key(UserName="publisher")["AccessKey"]
trust = document(Action="sts:AssumeRole", Principal={"AWS": "*"})
role = iam.create_role(RoleName="publishing", AssumeRolePolicyDocument=trust)["Role"]
iam.put_role_policy(RoleName="publishing", PolicyName="all", PolicyDocument=everything)
temporary = sts.assume_role(RoleArn=role["Arn"], RoleSessionName="test")["Credentials"]
text = ""
for name, keys in (("lasting", lasting), ("temporary", temporary)):
    text += f"[{name}]\naws_access_key_id = {keys['AccessKeyId']}\n"
    text += f"aws_secret_access_key = {keys['SecretAccessKey']}\n"
    if "SessionToken" in keys:
        text += f"aws_session_token = {keys['SessionToken']}\n"
file.write_text(text)
# From now on, signatures and permissions are verified.
urllib.request.urlopen(
    urllib.request.Request(f"{url}/moto-api/reset-auth", b"0", {"Content-Type": "text/plain"}))
