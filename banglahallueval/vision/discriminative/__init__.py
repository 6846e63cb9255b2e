"""The discriminative evaluation: does a caption match its picture, or what is wrong with it?"""
